"""What people do with the sessions of a conversation, and what the database says of it."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.site import Site

State = dict[str, Any]

# `context` is what the agent would be sent now, and `sent` its messages one by one.
STATE = """
import django, hashlib, json, sys; django.setup()
from chat.turns.history import context_now
from sessions_app.models import *
c = Conversation.objects.get(public_id=sys.argv[1])
marks = Checkpoint.objects.filter(kind="manual", session__conversation=c).order_by("pk")
context = context_now(c)
print(json.dumps({
    "session": str(c.active_session.public_id),
    "number": c.active_session.number,
    "digest": c.active_session.head_digest,
    "messages": c.active_session.message_count,
    "sessions": c.sessions.count(),
    "checkpoints": [list(mark) for mark in marks.values_list("name", "seq", "digest")],
    "moves": AuditEntry.objects.pointer_moves().filter(conversation_id=c.pk).count(),
    "context": context.digest,
    "sent": [hashlib.sha256(repr(message).encode()).hexdigest() for message in context.prompt.messages],
}))
"""


def state(site: Site, address: str) -> State:
    """What the database says of the conversation at this address."""
    site.environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    found: State = json.loads(site.run("-c", STATE, id_in(address)))
    return found


def id_in(address: str) -> str:
    found = re.search(r"[0-9a-f-]{36}", address)
    assert found
    return found[0]


def open_menu(page: Page, entry: str) -> None:
    page.locator("summary", has_text="More").click()
    page.get_by_role("button", name=entry).click()


def open_history(page: Page) -> Locator:
    open_menu(page, "History")
    return page.get_by_role("dialog", name="History")


def take_checkpoint(page: Page, name: str) -> None:
    open_menu(page, "Take a checkpoint")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Take it").click()
    expect(page.locator(".toast", has_text=f"Checkpoint “{name}” taken")).to_be_visible()


def open_reset(page: Page, reason: str = "") -> Locator:
    open_menu(page, "New session …")
    page.get_by_label("Reason, for everybody to read").fill(reason)
    return page.get_by_role("dialog", name="Start a new session?")


def confirm(page: Page) -> None:
    page.get_by_role("button", name="Start a new session").click()


def reset(page: Page, reason: str = "") -> None:
    dialog = open_reset(page, reason)
    confirm(page)
    expect(dialog).to_be_hidden()


def expect_said(page: Page, words: str) -> None:
    """With the offer to take it back."""
    expect(page.locator(".toast-offer")).to_contain_text(words)
    expect(page.locator(".toast-offer").get_by_role("button", name="Undo")).to_be_visible()
