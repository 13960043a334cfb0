"""Compares what clients were shown and promised with what is in the database, and says what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from chat.events import Returned, ToolSpec
from chat.providers.demo import expected_text
from chat.providers.demo.rounds import expected_reasoning
from chat.turns.tools import specs
from sessions_app.services.folding import Folding, text_of
from tests.crash.observer import Observer
from tests.crash.sites import Site

MOST_RESUMES = 3

Facts = dict[str, Any]


def problems(
    site: Site,
    observers: Iterable[Observer],
    *,
    state: str = "completed",
    tools: tuple[ToolSpec, ...] | None = None,
) -> list[str]:
    """Everything that breaks a promise; none when all is well. Called when nothing runs any more."""
    facts = site.examined()
    found = [f"verify: {finding}" for finding in facts["findings"]]
    found += [f"the server's log: {line}" for line in site.defects()]
    for observer in observers:
        found += observer.faults
        found += _wrongly_shown(observer, facts["sessions"][observer.place.session])
        found += _broken_promises(observer, facts["sessions"][observer.place.session])
    for session in facts["sessions"].values():
        found += _wrong_turns(session, state, specs() if tools is None else tools)
    return found


async def page_problems(site: Site) -> list[str]:
    """What a page that is opened now lacks of the replies; called while a server runs."""
    facts, found = site.examined(), []
    for place in site.places:
        page = await site.page(place)
        for turn in facts["sessions"][place.session]["turns"]:
            content = facts["sessions"][place.session]["contents"][turn["reply"]]
            texts = [part["text"] for part in content["parts"] if part["kind"] in ("text", "reasoning")]
            found += [f"not on the page: {text!r}" for text in texts if " ".join(text.split()) not in page]
    return found


def _wrongly_shown(observer: Observer, session: Facts) -> Iterator[str]:
    """Every event a client was shown is in the log at its number, just as it was shown."""
    for shown in observer.shown:
        index = shown["seq"] - 1
        kept = session["events"][index] if index < len(session["events"]) else None
        if shown != kept:
            yield f"shown but not kept: {shown} is {kept}"
    if observer.cursor != len(session["events"]):
        yield f"an observer ends at {observer.cursor}, the log at {len(session['events'])}"


def _broken_promises(observer: Observer, session: Facts) -> Iterator[str]:
    """Every acknowledged message is there, once, under the number that was named."""
    for promise in observer.promised:
        kept = [
            event["seq"]
            for event in session["events"]
            if event["kind"] == "message_posted" and event["payload"]["client_id"] == promise["client_id"]
        ]
        if kept != [promise["seq"]]:
            yield f"promised as number {promise['seq']}, kept as {kept}"


def _wrong_turns(session: Facts, state: str, tools: tuple[ToolSpec, ...]) -> Iterator[str]:
    """Every turn has ended, and its reply is what an agent that nobody disturbed would have said."""
    questions = {message: text_of(content) for message, content in session["contents"].items()}
    for turn in session["turns"]:
        if turn["state"] != state or turn["resumes"] > MOST_RESUMES:
            yield f"a turn is {turn['state']} ({turn['reason']}) after {turn['resumes']} resumes"
        elif state == "completed":
            yield from _wrong_reply(session, turn, questions[turn["question"]], tools)


def _wrong_reply(session: Facts, turn: Facts, question: str, tools: tuple[ToolSpec, ...]) -> Iterator[str]:
    content = session["contents"][turn["reply"]]
    results = tuple(_results(content))
    text = expected_text(question, tools, results)
    if text_of(content) != text:
        yield f"the reply to {question!r} is {text_of(content)!r} instead of {text!r}"
    if _joined(content, "reasoning") != expected_reasoning(question):
        yield f"the reasoning about {question!r} is {_joined(content, 'reasoning')!r}"
    if content != _folded(session, turn["reply"]):
        yield f"the snapshot of {question!r} differs from its events"


def _results(content: Facts) -> Iterator[Returned]:
    names = {part["id"]: part["name"] for part in content["parts"] if part["kind"] == "tool_call"}
    for part in content["parts"]:
        if part["kind"] == "tool_result":
            yield Returned(part["id"], names[part["id"]], part["output"], part["status"] != "ok")


def _joined(content: Facts, kind: str) -> str:
    return "".join(part["text"] for part in content["parts"] if part["kind"] == kind)


def _folded(session: Facts, message: str) -> Facts:
    """What a page that was open all the time has made of the events."""
    folding = Folding()
    for event in session["events"]:
        if event["message"] == message:
            folding.add(event["kind"], event["payload"])
    return folding.content()
