"""The first owner chooses a password by a link; everybody changes theirs, and is signed out elsewhere."""

from __future__ import annotations

import io
import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from sessions_app.models import AuditEntry, Membership, User, Workspace

OLD, NEW = "a kelp forest at dusk", "a quiet bay at noon"


def actions() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))


def create_owner(*words: str) -> str:
    told = io.StringIO()
    call_command("create_owner", *words, stdout=told)
    found = re.search(r"http://localhost:8000(/password/\S+)", told.getvalue())
    assert found
    return found[1]


@pytest.mark.django_db
def test_the_first_owner_chooses_a_password_and_is_in(client: Client) -> None:
    link = create_owner("alice", "--email", "alice@example.org", "--workspace", "Kelp")
    page = client.get(link, follow=True)
    form = page.redirect_chain[-1][0]
    assert client.post(form, {"password1": NEW, "password2": NEW})["Location"] == "/"
    assert client.get("/", follow=True).status_code == 200
    assert Membership.objects.get(user__username="alice", workspace__name="Kelp").role == "owner"
    assert actions() == ["owner_created", "password_changed", "signed_in"]


@pytest.mark.django_db
def test_a_used_link_opens_nothing(client: Client) -> None:
    link = create_owner("alice")
    form = client.get(link, follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": NEW, "password2": NEW})
    page = Client().get(link, follow=True).content.decode()
    assert "This link has been used" in page
    assert "<form" not in page


@pytest.mark.parametrize(
    "words", [["alice"], ["two words"], ["mia", "--email", "x"], ["mia", "--workspace", "!"]]
)
@pytest.mark.django_db
def test_what_cannot_be_made_is_refused_and_leaves_nothing(words: list[str]) -> None:
    User.objects.create_user("alice")
    with pytest.raises(CommandError, match=r"[Nn]othing was made"):
        create_owner(*words)
    assert (User.objects.count(), Workspace.objects.count(), actions()) == (1, 0, [])


@pytest.mark.django_db
def test_a_changed_password_ends_the_other_login_sessions(client: Client) -> None:
    alice, other = User.objects.create_user("alice", password=OLD), Client()
    client.force_login(alice)
    other.force_login(alice)
    sent = {"oldpassword": OLD, "password1": NEW, "password2": NEW}
    assert client.post("/password/", sent)["Location"] == "/account/"
    assert "_auth_user_id" in client.session
    assert client.get("/password/").status_code == 200
    assert other.get("/password/").status_code == 302
    assert actions() == ["password_changed"]


@pytest.mark.django_db
def test_without_the_old_password_nothing_changes(client: Client) -> None:
    alice = User.objects.create_user("alice", password=OLD)
    client.force_login(alice)
    page = client.post("/password/", {"oldpassword": "x", "password1": NEW, "password2": NEW})
    assert "This is not your present password; nothing was changed." in page.content.decode()
    alice.refresh_from_db()
    assert alice.check_password(OLD)
    assert actions() == []


@pytest.mark.django_db
def test_a_stranger_is_sent_to_the_login(client: Client) -> None:
    assert client.get("/password/")["Location"] == "/login/?next=/password/"
