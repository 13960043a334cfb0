"""Folds a message's events into what a person reads: one function for sealing, recovery, replay and verify."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sessions_app.models import EventKind, TurnState

Content = dict[str, Any]
Payload = dict[str, Any]

STATUS_RUNNING = "running"
STATUS_UNKNOWN = "unknown"


def fold(events: Iterable[tuple[str, str]]) -> Content:
    """The content that (kind, payload) pairs make, in their order. Equal events give equal content."""
    folding = Folding()
    for kind, payload in events:
        folding.add(kind, json.loads(payload))
    return folding.content()


class Folding:
    """The same, one event at a time: what a live reader holds while a reply grows."""

    def __init__(self) -> None:
        self._parts: list[Content] = []
        self._chunks: list[str] = []
        self._marks: list[Content] = []
        self._outcome: Content | None = None

    def add(self, kind: str, payload: Payload) -> None:
        match kind:
            case EventKind.MESSAGE_POSTED | EventKind.TEXT:
                self._add_text("text", payload["text"])
            case EventKind.REASONING:
                self._add_reasoning(payload)
            case EventKind.TOOL_CALL:
                self._start_part(
                    {"kind": "tool_call", "status": STATUS_RUNNING, "duration_ms": None, **payload}
                )
            case EventKind.TOOL_RESULT:
                self._add_result(payload)
            case EventKind.TURN_RESUMED:
                self._mark("resumed", payload)
            case EventKind.TURN_ENDED:
                self._end(payload)
            case _:
                pass  # what began or sealed the message says nothing a person reads

    def content(self) -> Content:
        self._close_text()
        return {"parts": self._parts, "marks": self._marks, "outcome": self._outcome}

    def unanswered_calls(self) -> list[Content]:
        """Tool calls that have no result: after a crash nobody knows whether they acted."""
        return [
            part for part in self._parts if part["kind"] == "tool_call" and part["status"] == STATUS_RUNNING
        ]

    def _add_text(self, kind: str, text: str) -> None:
        if not (self._parts and self._parts[-1]["kind"] == kind):
            self._start_part({"kind": kind, "text": ""})
        self._chunks.append(text)

    def _add_reasoning(self, payload: Payload) -> None:
        """A signature is for the reasoning since the one before it, which is kept with where it ends."""
        last = self._parts[-1] if self._parts else {}
        if last.get("kind") == "reasoning" and "signature" in last:
            self._close_text()
            signed = {"end": len(last["text"]), "signature": last.pop("signature")}
            last.setdefault("signed", []).append(signed)
        self._add_text("reasoning", payload["text"])
        if "signature" in payload:
            self._parts[-1]["signature"] = payload["signature"]

    def _start_part(self, part: Content) -> None:
        self._close_text()
        self._parts.append(part)

    def _close_text(self) -> None:
        """Joins what has come since, so that ten thousand tokens cost one pass."""
        if self._chunks:
            self._parts[-1]["text"] += "".join(self._chunks)
            self._chunks = []

    def _add_result(self, payload: Payload) -> None:
        for part in self.unanswered_calls():
            if part["id"] == payload["id"]:
                part["status"] = payload["status"]
                part["duration_ms"] = payload.get("duration_ms")
        self._start_part({"kind": "tool_result", **payload})

    def _mark(self, kind: str, payload: Payload) -> None:
        """Remembers where in the text something happened: after which part, and how far into it."""
        self._close_text()
        last = self._parts[-1] if self._parts else {}
        position = {"part": len(self._parts), "offset": len(last.get("text", ""))}
        self._marks.append({"kind": kind, "attempt": payload["attempt"], **position})

    def _end(self, payload: Payload) -> None:
        for part in self.unanswered_calls():
            part["status"] = STATUS_UNKNOWN
        if payload["state"] == TurnState.FAILED:
            self._start_part({"kind": "error", "text": payload["reason"]})
        self._outcome = {name: value for name, value in payload.items() if name != "turn"}


def text_of(content: Content) -> str:
    """The words of a message without reasoning and tools."""
    return "".join(part["text"] for part in content["parts"] if part["kind"] == "text")
