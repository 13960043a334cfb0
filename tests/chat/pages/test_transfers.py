"""Export from a conversation's menu, import from the workspace's settings."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client
from django.urls import reverse

from chat.database_threads import close_threads
from sessions_app.models import AuditEntry, Conversation, User
from tests.sessions_app.services.transfer.acting import exported, without_header
from tests.sessions_app.services.transfer.conftest import Elsewhere, elsewhere, scene
from tests.sessions_app.services.transfer.scene import Scene

__all__ = ["elsewhere", "scene"]


class Page:
    """Somebody at a browser; with checks against forged requests like anybody."""

    def __init__(self, username: str | None) -> None:
        self._username = username

    def post(self, address: str, body: object, content_type: str | None = None) -> tuple[int, str, str]:
        """Status, media type and text of the answer, a stream's as well."""

        async def ask() -> tuple[int, str, str]:
            client = AsyncClient()
            if self._username is not None:
                await client.aforce_login(await User.objects.aget(username=self._username))
            kind: dict[str, Any] = {"content_type": content_type} if content_type else {}
            response: Any = await client.post(address, body, **kind)
            if not response.streaming:
                return response.status_code, response.headers["Content-Type"], response.content.decode()
            text = b"".join([piece async for piece in response.streaming_content]).decode()
            return response.status_code, response.headers["Content-Type"], text

        try:
            return async_to_sync(ask)()
        finally:
            close_threads()

    def export(self, conversation: Conversation, form: str) -> tuple[int, str, str]:
        return self.post(reverse("exports", args=[conversation.public_id]), {"form": form})

    def send(self, slug: str, content: bytes, query: str = "") -> tuple[int, str, str]:
        address = reverse("imports", args=[slug]) + query
        return self.post(address, content, "application/octet-stream")


@pytest.fixture
def content(scene: Scene) -> bytes:
    scene.say("hello")
    scene.answer("hello yourself")
    return exported(scene.fresh())


def test_each_form_is_a_file_and_on_record(scene: Scene, content: bytes) -> None:
    for form, media_type, begins in (
        ("jsonl", "application/jsonl", '{"format":"holdfast-conversation"'),
        ("json", "application/json", '{"records":[\n'),
        ("markdown", "text/markdown; charset=utf-8", "# General\n"),
    ):
        status, kind, text = Page("vera").export(scene.conversation, form)
        assert (status, kind, text.startswith(begins)) == (200, media_type, True)
    entries = AuditEntry.objects.filter(action="export_conversation", trigger="page")
    assert [entry.told["actor_name"] for entry in entries] == ["vera"] * 3


def test_what_cannot_be_exported_is_said_on_a_page(scene: Scene, content: bytes) -> None:
    status, _, text = Page("alice").export(scene.conversation, "docx")
    assert (status, "nothing was exported" in text) == (409, True)
    scene.say("a question that waits")
    status, _, text = Page("alice").export(scene.conversation, "json")
    assert (status, "The agent is still answering" in text) == (409, True)


def test_bob_finds_neither_door(scene: Scene, content: bytes) -> None:
    assert Page("bob").export(scene.conversation, "jsonl")[0] == 404
    assert Page("bob").send("kelp", content)[0] == 404
    assert Page(None).export(scene.conversation, "jsonl")[0] == 302
    assert Page(None).send("kelp", content)[0] == 401
    assert Page("mia").send("kelp", content)[0] == 403
    assert not AuditEntry.objects.filter(trigger="page", action="export_conversation").exists()


def test_a_file_is_looked_at_and_then_imported(content: bytes, elsewhere: Elsewhere) -> None:
    with elsewhere():
        status, _, text = Page("olga").send("reef", content, "?dry_run=1")
        assert status == 200
        assert 'data-importable="1"' in text
        assert "comes as a name alone" in text
        assert not Conversation.objects.exists()
        status, _, _ = Page("olga").send("reef", content)
        conversation = Conversation.objects.get()
        assert status == 200
        assert without_header(exported(conversation)) == without_header(content)
        assert AuditEntry.objects.get(action="import_conversation").told["through"] == "page"
        browser = Client()
        browser.force_login(User.objects.get(username="olga"))
        shown = browser.get(reverse("conversation", args=[conversation.public_id])).content.decode()
        assert "hello yourself" in shown
        again = Page("olga").send("reef", content, "?dry_run=1")[2]
        assert "here already, just so" in again
        assert 'data-importable="0"' in again


def test_a_file_that_is_none_is_refused_in_words(scene: Scene, content: bytes) -> None:
    status, _, text = Page("alice").send("kelp", b"what is this?")
    assert (status, "nothing was imported" in text) == (400, True)


def test_who_may_import_is_shown_the_way(scene: Scene) -> None:
    for name, may in (("alice", True), ("mia", False)):
        browser = Client()
        browser.force_login(User.objects.get(username=name))
        settings = browser.get(reverse("workspace_settings", args=["kelp"])).content.decode()
        assert (reverse("import", args=["kelp"]) in settings) is may
        page = browser.get(reverse("import", args=["kelp"])).content.decode()
        assert ('type="file"' in page) is may
