"""A person's ways through the page, from the first visit on."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from chat.providers.demo import expected_text
from tests.browser.acting import (
    ENDLESS,
    ENDLESS_TOKENS,
    composer,
    expect_answered,
    expect_growing,
    expect_words,
    numbered,
    replies,
    send,
    start,
    stop,
    tokens_up_to,
    words_of,
)
from tests.browser.conftest import Visit
from tests.browser.site import Site


def test_first_visit_to_first_reply(site: Site, browser: Browser) -> None:
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Username").fill("mia")
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Log in").click()
    page.locator("a.sidebar-new").click()
    page.get_by_label("First message").fill("fast markdown")
    page.get_by_role("button", name="Start the conversation").click()
    reply = expect_answered(page)
    expect(reply.get_by_role("table")).to_be_visible()
    expect(reply.locator(".code .k").first).to_have_text("def")
    expect(page.locator(".message-person .tick")).to_have_attribute(
        "title", re.compile(r"number \d+ of the log")
    )
    expect(page).to_have_title("Fast markdown · Holdfast")
    context.close()


def test_a_first_visitor_is_told_what_is_special(visit: Visit) -> None:
    page = visit(name="vera")
    expect(page.get_by_role("heading", name="Kill me mid-reply.")).to_be_visible()


def test_two_people_see_the_same_stream(visit: Visit) -> None:
    alice, mia = visit(), visit(name="mia")
    mia.goto(start(alice, ENDLESS))
    expect(alice.locator(".presence")).to_have_attribute("title", "Here: Alice, Mia")
    for page in (alice, mia):
        expect_growing(page)
    stop(alice)
    ours, theirs = expect_answered(alice), expect_answered(mia)
    expect(theirs).to_contain_text("asked by Alice")
    expect(theirs).to_contain_text("Stopped by Alice")
    assert words_of(ours).inner_html() == words_of(theirs).inner_html()
    composer(alice).press_sequentially("hm")
    expect(mia.locator(".typing")).to_have_text("Alice is writing …")
    send(alice, "echo And you?")
    expect(mia.locator(".message-person").last).to_contain_text("And you?")


def test_a_viewer_reads_along_and_is_offered_nothing_to_write(visit: Visit) -> None:
    alice, vera = visit(), visit(name="vera")
    vera.goto(start(alice, ENDLESS))
    expect_growing(vera)
    stop(alice)
    assert words_of(expect_answered(vera)).inner_html() == words_of(expect_answered(alice)).inner_html()
    expect(composer(vera)).to_have_count(0)
    for action in ("regenerate", "continue", "fork", "new-session", "archive"):
        expect(vera.locator(f"[data-action={action}]")).to_have_count(0)


def test_a_reload_in_the_middle_of_a_reply_changes_nothing(visit: Visit) -> None:
    page = visit()
    start(page, ENDLESS)
    expect_words(page, "word30 ")
    page.reload()
    expect_growing(page)
    stop(page)
    kept = words_of(expect_answered(page)).inner_text()
    assert numbered(ENDLESS_TOKENS).startswith(kept)


def test_what_was_streamed_is_what_a_reload_shows(visit: Visit) -> None:
    page = visit()
    start(page, "at 300/s markdown")
    parts = expect_answered(page).locator(".message-parts")
    live = parts.inner_html()
    page.reload()
    assert parts.inner_html() == live


def test_blocks_are_formatted_while_the_rest_is_still_written(visit: Visit) -> None:
    page = visit()
    start(page, f"at 100/s markdown; hang after {tokens_up_to('def commit_then_show', of='markdown')}")
    opened = page.locator(".message-agent.is-open")
    expect(opened.locator(".tail pre")).to_contain_text("def")
    expect(opened.locator(".prose h4")).to_have_text("What an answer may look like")
    expect(opened.locator(".prose ol > li")).not_to_have_count(0)
    stop(page)


def test_another_conversation_and_back_loses_and_mixes_nothing(visit: Visit) -> None:
    page = visit()
    first = start(page, ENDLESS)
    expect_words(page, "word15 ")
    start(page, "echo something else entirely")
    expect(words_of(expect_answered(page))).to_have_text("something else entirely")
    page.goto(first)
    expect_growing(page)
    stop(page)
    kept = words_of(expect_answered(page)).inner_text()
    assert numbered(ENDLESS_TOKENS).startswith(kept)
    expect(page.locator(".transcript")).not_to_contain_text("something else entirely")


def test_stop_keeps_the_text_and_continue_goes_on(visit: Visit) -> None:
    page = visit()
    start(page, "tokens 300 at 100/s; hang after 20")
    expect_words(page, "word20")
    page.keyboard.press("Escape")
    stopped = expect_answered(page)
    expect(stopped).to_contain_text("Stopped by Alice")
    expect(words_of(stopped)).to_have_text(numbered(20))
    stopped.get_by_role("button", name="Continue").click()
    rest = numbered(300).removeprefix(numbered(20)).strip()
    expect(words_of(expect_answered(page, 2))).to_have_text(rest)


def test_another_version_leaves_the_older_one_a_click_away(visit: Visit) -> None:
    page = visit()
    start(page, "fast markdown")
    first = expect_answered(page).get_attribute("data-message")
    page.get_by_role("button", name="Another version").click()
    expect(page.locator(f"#message-{first}")).to_be_hidden()
    second = expect_answered(page)
    expect(second.locator("[data-version-count]")).to_have_text("2 of 2")
    second.get_by_role("button", name="Older version").click()
    expect(page.locator(f"#message-{first}")).to_be_visible()
    expect(page.locator(f"#message-{first} [data-version-count]")).to_have_text("1 of 2")
    page.reload()
    expect(page.locator(f"#message-{first}")).to_be_hidden()
    expect(replies(page).locator("[data-version-count]")).to_have_text("2 of 2")


def test_edit_and_resend_goes_on_in_a_new_session(visit: Visit) -> None:
    alice, mia = visit(), visit(name="mia")
    address = start(alice, "echo frist")
    expect_answered(alice)
    mia.goto(address)
    composer(alice).press("ArrowUp")
    expect(composer(alice)).to_have_value("echo frist")
    composer(alice).fill("echo first")
    composer(alice).press("Enter")
    for page in (alice, mia):
        expect(words_of(expect_answered(page))).to_have_text("first")
        expect(page.locator(".transcript")).not_to_contain_text("frist")
    notice = mia.locator(".notice", has_text="went on from an earlier point")
    notice.get_by_role("link").click()
    expect(mia.locator(".transcript")).to_contain_text("frist")
    expect(mia.locator(".composer")).to_have_count(0)


def test_a_fork_begins_before_the_message(visit: Visit) -> None:
    page = visit()
    start(page, "echo one")
    expect_answered(page)
    send(page, "echo two")
    expect_answered(page, 2)
    page.locator(".message-person").last.hover()
    page.locator(".message-person").last.get_by_role("button", name="Go on from before").click()
    page.get_by_role("dialog").get_by_role("button", name="Go on from there").click()
    expect(page.locator(".message-person")).to_have_count(1)
    send(page, "echo three")
    expect(words_of(expect_answered(page, 2))).to_have_text("three")


def test_sends_while_the_agent_answers_wait_and_can_be_withdrawn(visit: Visit) -> None:
    page = visit()
    start(page, "tokens 400 at 100/s; hang after 5")
    expect_words(page, "word5")
    send(page, "echo later")
    waiting = page.locator(".message-person", has_text="later")
    expect(waiting).to_contain_text("waiting for an answer")
    waiting.get_by_role("button", name="Withdraw").click()
    expect(waiting).to_contain_text("withdrawn")
    expect(waiting.locator(".message-parts")).to_have_css("text-decoration-line", "line-through")
    stop(page)
    expect_answered(page, 1)


def test_a_failed_answer_says_why_and_can_be_retried(visit: Visit) -> None:
    page = visit()
    start(page, "fail after 3")
    failed = expect_answered(page)
    expect(failed.locator(".outcome-problem")).to_contain_text("failed, as it was asked to")
    expect(failed.get_by_role("button", name="Retry")).to_be_visible()


def test_reasoning_is_folded_and_tools_are_cards(visit: Visit) -> None:
    page = visit()
    start(page, "fast think 20; tool calculator 6 * 7")
    reply = expect_answered(page)
    expect(reply.locator(".reasoning .verbatim")).to_be_hidden()
    reply.get_by_text("Reasoning").click()
    expect(reply.locator(".reasoning .verbatim")).to_contain_text("thought20")
    card = reply.locator(".tool")
    expect(card.locator(".tool-status")).to_have_text("done")
    expect(card.locator(".tool-duration")).to_have_text(re.compile(r"\d+ ms"))
    card.locator("summary").click()
    expect(card.locator("[data-tool-output]")).to_contain_text("42")


def test_code_is_copied_by_keyboard(visit: Visit) -> None:
    page = visit()
    start(page, "fast code")
    expect_answered(page).locator(".code-copy").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_have_text("Code copied")
    composer(page).press("Control+v")
    expect(composer(page)).to_have_value(re.compile("def "))


def test_the_meter_says_how_much_the_agent_is_sent(visit: Visit) -> None:
    page = visit()
    start(page, "echo hello")
    expect_answered(page)
    expect(page.locator("[data-meter-words]")).to_have_text(re.compile(r"^\d+ % of context$"))


def test_titles_agents_and_prompts_are_changed_for_all_to_see(visit: Visit) -> None:
    alice, mia = visit(), visit(name="mia")
    mia.goto(start(alice, "echo hello"))
    expect_answered(mia)
    alice.locator(".conversation-head").get_by_title("More").click()
    alice.get_by_role("button", name="Title, agent, prompt").first.click()
    alice.get_by_label("Title", exact=True).fill("The deep")
    alice.get_by_label("It answers").select_option("mentioned")
    alice.get_by_role("button", name="Save").click()
    expect(mia.get_by_role("heading", level=1)).to_have_text("The deep")
    expect(mia.locator(".notice").last).to_contain_text("Alice lets it answer when mentioned")
    expect(mia.locator(".sidebar")).to_contain_text("The deep")


def test_a_pinned_conversation_is_first_and_an_archived_one_is_put_away(visit: Visit) -> None:
    page = visit()
    start(page, "echo pinned one")
    expect_answered(page)
    menu = page.locator(".conversation-head").get_by_title("More")
    menu.click()
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.locator(".sidebar-title").first).to_have_text("Pinned")
    menu.click()
    page.get_by_role("button", name="Archive", exact=True).click()
    expect(page.get_by_text("This conversation is archived.")).to_be_visible()
    expect(composer(page)).to_have_count(0)
    page.get_by_role("button", name="Take it out").click()
    expect(composer(page)).to_be_visible()


def test_it_is_unread_for_others_until_they_look(visit: Visit) -> None:
    alice, mia = visit(), visit(name="mia")
    start(alice, "echo news for you")
    expect_answered(alice)
    row = mia.locator(".conversation-link", has_text="News for you").first
    expect(row).to_have_class(re.compile("is-unread"))
    with mia.expect_response(re.compile("/read/")):
        row.click()
    expect(mia.locator(".conversation-link[aria-current]")).not_to_have_class(re.compile("is-unread"))
    mia.goto("/")
    expect(mia.locator(".conversation-link", has_text="News for you").first).not_to_have_class(
        re.compile("unread")
    )


def test_a_draft_survives_a_reload_and_other_devices(visit: Visit) -> None:
    page = visit()
    address = start(page, "echo hello")
    expect_answered(page)
    with page.expect_response(re.compile("/draft/")):
        composer(page).fill("half a thought")
    page.reload()
    expect(composer(page)).to_have_value("half a thought")
    other = visit()
    other.goto(address)
    expect(composer(other)).to_have_value("half a thought")
    send(other, "echo whole")
    expect_answered(other, 2)
    page.reload()
    expect(composer(page)).to_have_value("")


def test_the_limit_is_shown_before_it_is_reached(visit: Visit) -> None:
    page = visit()
    start(page, "echo hello")
    composer(page).fill("x" * 62_000)
    expect(page.locator(".composer-limit")).to_have_text("3.5 KiB left")
    composer(page).fill("x" * 70_000)
    expect(page.locator(".composer-limit")).to_contain_text("too long")
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_disabled()


def test_the_slash_menu_has_buttons_and_sends_nothing(visit: Visit) -> None:
    page = visit()
    start(page, "echo hello")
    expect_answered(page)
    composer(page).press("/")
    expect(page.get_by_role("menuitem")).not_to_have_count(0)
    page.keyboard.press("c")
    expect(page.get_by_role("menuitem")).to_have_count(1)
    page.keyboard.press("Enter")
    page.get_by_label("Name").fill("Before lunch")
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_have_text("Checkpoint “Before lunch” taken")
    expect(page.locator(".message-person")).to_have_count(1)


def test_a_message_that_looks_like_a_command_asks_first_and_sends_nothing(visit: Visit) -> None:
    page = visit()
    start(page, "echo hello")
    expect_answered(page)
    said = page.locator(".message").count()
    send(page, "/new")
    page.get_by_role("button", name="Keep this one").click()
    expect(page.locator(".message")).to_have_count(said)


def test_a_link_leads_to_the_message(visit: Visit) -> None:
    page = visit()
    start(page, "echo hello")
    reply = expect_answered(page)
    page.goto(reply.locator(".message-time").get_attribute("href") or "")
    expect(page.locator(f"#{reply.get_attribute('id')}")).to_be_in_viewport()


def test_everything_is_reached_without_a_mouse(site: Site, browser: Browser) -> None:
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_label("Username")).to_be_focused()
    page.keyboard.type("alice")
    page.keyboard.press("Tab")
    page.keyboard.type(site.password)
    page.keyboard.press("Enter")
    expect(page.get_by_label("First message")).to_be_focused()
    expect(page.locator("[name=client_id]")).not_to_have_value("")
    page.keyboard.type("fast code")
    page.keyboard.press("Enter")
    reply = expect_answered(page)
    expect(composer(page)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".scroller, .jump").first).to_be_attached()
    tab_to(page, reply.locator("[data-action=regenerate]"))
    page.keyboard.press("Enter")
    expect(replies(page).locator("[data-version-count]")).to_have_text("2 of 2")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("searchbox").first).to_be_focused()
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")  # in the composer it would be a question mark
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    context.close()


def tab_to(page: Page, target: object) -> None:
    """Walks backwards until the target has the focus."""
    for _ in range(30):
        if page.evaluate("document.activeElement?.dataset?.action") == "regenerate":
            return
        page.keyboard.press("Shift+Tab")
    raise AssertionError("the button cannot be reached by the keyboard")


def test_the_whole_answer_is_announced_once_and_the_stream_is_not(visit: Visit) -> None:
    page = visit()
    start(page, "echo a short answer")
    expect(page.get_by_role("status")).to_have_text("a short answer")
    assert page.locator(".scroller [aria-live], .scroller [role=log], .scroller [role=status]").count() == 0


def test_the_demos_own_markdown_is_complete(visit: Visit) -> None:
    page = visit()
    start(page, "fast code")
    reply = expect_answered(page)
    for line in expected_text("fast code").splitlines():
        if line.startswith("#"):
            expect(reply).to_contain_text(line.lstrip("# "))
