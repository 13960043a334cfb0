"""The incident: a chat that silently went to a new session and hid a thousand messages. Each step is tried."""

from __future__ import annotations

import json
import re
import uuid

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.acting import composer, send, words_of
from tests.browser.conftest import Visit
from tests.browser.controlling import (
    State,
    expect_said,
    id_in,
    open_history,
    reset,
    state,
    take_checkpoint,
)
from tests.browser.site import Site

MESSAGES = 600
COMMAND = "/new what was I saying"
THROUGH_A_SOCKET = """([conversation, text]) => new Promise((resolve) => {
  const socket = new WebSocket(`ws://${location.host}/ws/`, ["holdfast.1"]);
  const post = { type: "post", id: "1", conversation, session: null, client_id: crypto.randomUUID(), text };
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(data);
    if (frame.type === "hello") socket.send(JSON.stringify(post));
    if (frame.re === "1") resolve(frame.code);
  };
})"""
THROUGH_THE_PAGE = """async ([address, fields]) => {
  const token = document.querySelector("meta[name=csrf-token]").content;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(fields) });
  return (await answer.json()).code;
}"""


@pytest.fixture
def address(site: Site) -> str:
    public_id = site.run("-m", "tests.browser.long_history", str(MESSAGES)).strip()
    return f"/conversations/{public_id}/"


def test_the_incident(site: Site, visit: Visit, browser: Browser, address: str) -> None:
    page = visit(address)
    take_checkpoint(page, "Decision")
    say(page, "echo the last thing before the crash")
    take_checkpoint(page, "Before the crash")
    before = state(site, address)
    assert (before["messages"], len(before["checkpoints"])) == (MESSAGES + 2, 2)
    assert len(before["sent"]) > 100

    site.kill()
    expect(page.locator("[data-behavior=connection-banner]")).to_contain_text("Nothing is lost")
    site.start()
    expect(page.locator("[data-behavior=connection-banner]")).to_be_hidden()
    assert state(site, address) == before

    say(page, "echo still the same session?")
    after = state(site, address)
    expect_nothing_moved(before, after)
    begin_with_a_command(site, browser, page, address)
    assert state(site, address) == after

    reset(page, "on purpose")
    expect(page.locator(".message")).to_have_count(0)
    assert state(site, address)["sent"] == []
    open_history(page).get_by_role("button", name="Restore session 1").click()
    expect_said(page, f"Session 1 with {MESSAGES + 4} messages is active now")
    expect(words_of(page.locator(".message-agent").last)).to_have_text("still the same session?")
    expect_all_back(after, state(site, address))

    reset(page, "and again")
    restore_in_admin(site, browser, str(after["session"]))
    expect(words_of(page.locator(".message-agent").last)).to_have_text("still the same session?")
    expect_all_back(after, state(site, address))
    assert json.loads(site.run("manage.py", "verify", "--json"))["findings"] == []


def say(page: Page, text: str) -> None:
    send(page, text)
    answer = words_of(page.locator(".message-agent:not(.is-open)").last)
    expect(answer).to_have_text(text.removeprefix("echo "))


def expect_nothing_moved(before: State, after: State) -> None:
    """A message and its answer came behind everything that was there."""
    for name in ("session", "number", "sessions", "checkpoints", "moves"):
        assert after[name] == before[name], name
    assert after["messages"] == before["messages"] + 2
    earlier = after["sent"][:-2]  # the oldest give way where the model has no room
    assert earlier
    assert earlier == before["sent"][-len(earlier) :]


def expect_all_back(before: State, after: State) -> None:
    for name in ("session", "digest", "messages", "checkpoints", "context", "sent"):
        assert after[name] == before[name], name


def begin_with_a_command(site: Site, browser: Browser, page: Page, address: str) -> None:
    """Over every door: the composer asks first, all the others refuse."""
    composer(page).fill(COMMAND)
    composer(page).press("Enter")
    dialog = page.get_by_role("dialog", name="Start a new session?")
    expect(dialog).to_contain_text(f"{MESSAGES + 4} messages")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(composer(page)).to_have_value(COMMAND)
    composer(page).fill("")
    refused = "command_in_message"
    fields = {"text": COMMAND, "client_id": uuid.uuid4().hex}
    assert page.evaluate(THROUGH_A_SOCKET, [id_in(address), COMMAND]) == refused
    assert page.evaluate(THROUGH_THE_PAGE, [f"{address}messages/", fields]) == refused
    own = page.locator(".message-person.is-own").last.get_attribute("data-message")
    assert page.evaluate(THROUGH_THE_PAGE, [f"/messages/{own}/edits/", fields]) == refused
    token = site.run("manage.py", "create_token", "alice", "--name", "incident", "--scope", "control").split()
    script = browser.new_context(
        base_url=site.url, extra_http_headers={"Authorization": f"Bearer {token[-1]}"}
    )
    api = f"/api/v1/conversations/{id_in(address)}/messages"
    assert script.request.post(api, data=fields).json()["code"] == refused
    asked = {"model": "demo", "messages": [{"role": "user", "content": COMMAND}]}
    named = {"Holdfast-Conversation": id_in(address)}
    answer = script.request.post("/v1/chat/completions", data=asked, headers=named)
    assert answer.json()["error"]["code"] == refused
    script.close()


def restore_in_admin(site: Site, browser: Browser, session: str) -> None:
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.goto("/admin/login/?next=/admin/recovery/")
    page.get_by_label("Username").fill("olga")
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Log in").click()
    page.get_by_label("Somebody's chat is gone?").fill(session)
    page.get_by_role("button", name="Find its sessions").click()
    page.get_by_title(re.compile("Make session 1 ")).click()
    expect(page.locator(".messagelist")).to_contain_text(f"with {MESSAGES + 4} messages is active now")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    context.close()
