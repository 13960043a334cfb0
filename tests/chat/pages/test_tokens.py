"""The page of one's own tokens: made and shown once, revoked, and nobody else's business."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.api.authentication import BearerToken
from chat.models import ApiToken, Scope
from chat.tokens import create_token
from sessions_app.models import Conversation, User
from tests.chat.recovery.cast import alice, conversation, olga

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as TestResponse

__all__ = ["alice", "conversation", "olga"]

WISH = {"name": "nightly", "scope": "write", "days": "30", "reach": "workspace", "conversation": ""}
PAGE = "/workspaces/demo/tokens/"


@pytest.fixture
def browser(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def make(client: Client, **other: str) -> TestResponse:
    return client.post(PAGE, {**WISH, **other})


def revoke(client: Client, token: ApiToken) -> TestResponse:
    return client.post(reverse("token_revocations", args=["demo", token.public_id]))


def shown_token(page: str) -> str:
    found = re.search(r"<pre[^>]*>([^<]+)</pre>", page)
    assert found is not None
    return found[1]


def test_the_settings_lead_to_an_empty_list(browser: Client) -> None:
    assert PAGE in browser.get(reverse("workspace_settings", args=["demo"])).content.decode()
    assert "You have no tokens." in browser.get(PAGE).content.decode()


def test_a_token_is_shown_once_and_works(browser: Client, alice: User, conversation: Conversation) -> None:
    answered = make(browser)
    token, row = shown_token(answered.content.decode()), ApiToken.objects.get()
    assert "no-store" in answered["Cache-Control"]
    assert (row.name, row.scope, row.only_conversation) == ("nightly", Scope.WRITE, None)
    assert row.only_workspace == conversation.workspace.public_id
    listed = browser.get(PAGE).content.decode()
    assert token not in listed
    for fact in ("nightly", f"{row.prefix}…", "read and write", "expires", "never used"):
        assert fact in listed
    assert BearerToken().authenticate_credentials(token.encode()) == (alice, row)
    assert "last used" in browser.get(PAGE).content.decode()


def test_a_token_can_be_for_one_conversation_or_for_everything_and_ever(
    browser: Client, conversation: Conversation
) -> None:
    make(browser, conversation="team:general")
    assert ApiToken.objects.get().only_conversation == conversation.public_id
    make(browser, name="everything", reach="all", days="never")
    row = ApiToken.objects.get(name="everything")
    assert (row.expiry, row.only_workspace, row.only_conversation) == (None, None, None)
    listed = browser.get(PAGE).content.decode()
    for fact in ("<code>team:general</code>", "all your workspaces", "never expires"):
        assert fact in listed


def test_an_expired_token_says_so(browser: Client, alice: User) -> None:
    create_token(alice, name="old")
    ApiToken.objects.update(expiry=timezone.now() - timedelta(days=1))
    assert '<span class="badge">expired</span>' in browser.get(PAGE).content.decode()


def test_a_revoked_token_is_gone(browser: Client, alice: User) -> None:
    row, _ = create_token(alice, name="old")
    assert revoke(browser, row).headers["Location"] == PAGE
    assert not ApiToken.objects.exists()
    assert revoke(browser, row).status_code == 404


def test_nobody_sees_or_revokes_the_tokens_of_another(client: Client, alice: User) -> None:
    row, _ = create_token(alice, name="of alice")
    for name in ("mia", "vera", "olga"):
        client.force_login(User.objects.get(username=name))
        assert "of alice" not in client.get(PAGE).content.decode()
        assert revoke(client, row).status_code == 404
    client.force_login(User.objects.create_user("bob"))
    assert {client.get(PAGE).status_code, make(client).status_code, revoke(client, row).status_code} == {404}
    assert ApiToken.objects.get() == row


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"name": " "}, "needs a name"),
        ({"name": "n" * 101}, "needs a name"),
        ({"scope": "everything"}, "Choose what the token may do"),
        ({"days": "soon"}, "Choose for how many days"),
        ({"days": "0"}, "1 to 3650 days"),
        ({"reach": "elsewhere"}, "this workspace or for all of yours"),
        ({"conversation": "team:nothing"}, "no conversation by this key"),
        ({"conversation": "\x00"}, "no conversation by this key"),
    ],
)
def test_nonsense_is_refused_and_what_was_chosen_stays(
    browser: Client, other: dict[str, str], sentence: str
) -> None:
    answered = make(browser, **other)
    page = answered.content.decode()
    assert (answered.status_code, sentence in page) == (400, True)
    assert "<pre" not in page
    if "scope" not in other:
        assert '<option value="write" selected>' in page
    assert not ApiToken.objects.exists()


def test_a_name_is_shown_as_text(browser: Client) -> None:
    assert "<script>x" not in make(browser, name="<script>x</script>").content.decode()


def test_a_forged_request_makes_and_revokes_nothing(alice: User) -> None:
    row, _ = create_token(alice, name="old")
    visitor = Client(enforce_csrf_checks=True)
    visitor.force_login(alice)
    assert (make(visitor).status_code, revoke(visitor, row).status_code) == (403, 403)
    assert ApiToken.objects.get() == row
