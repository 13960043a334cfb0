"""Gives the finished blocks of replies that are being written, as HTML, from the events of their log."""

from __future__ import annotations

from typing import Any

from sessions_app.markdown import RenderedBlock, Renderer
from sessions_app.models import EventKind

WITHOUT_PART = {EventKind.TURN_STARTED, EventKind.TURN_RESUMED}
LAST = {EventKind.TURN_ENDED, EventKind.SEALED}


class LiveBlocks:
    """Is fed the events of one session in their order, from the beginning of every reply that is open."""

    def __init__(self) -> None:
        self._replies: dict[str, OpenReply] = {}

    def feed(self, kind: str, message: str | None, payload: dict[str, Any]) -> list[dict[str, Any]]:
        """The fields of the `blocks` frames that this event brings; a person's own message brings none."""
        if message is None or kind == EventKind.MESSAGE_POSTED:
            return []
        if kind in LAST:
            self._replies.pop(message, None)
            return []
        reply = self._replies.setdefault(message, OpenReply())
        return [{"message": message, **fields} for fields in reply.feed(kind, payload)]


class OpenReply:
    """Numbers parts as folding does: text and reasoning grow while they last, all else is a part of its own."""

    def __init__(self) -> None:
        self._part = -1
        self._kind = ""
        self._renderer: Renderer | None = None
        self._index = 0

    def feed(self, kind: str, payload: dict[str, Any]) -> list[dict[str, Any]]:
        if kind in WITHOUT_PART:
            return []
        fields = [] if self._goes_on(kind) else self._next_part(kind)
        if self._renderer is not None:
            fields += self._numbered(self._renderer.feed(payload["text"]))
        return fields

    def _goes_on(self, kind: str) -> bool:
        return kind == self._kind and kind in (EventKind.TEXT, EventKind.REASONING)

    def _next_part(self, kind: str) -> list[dict[str, Any]]:
        fields = self._numbered(self._renderer.finish()) if self._renderer is not None else []
        self._part, self._kind, self._index = self._part + 1, kind, 0
        self._renderer = Renderer() if kind == EventKind.TEXT else None
        return fields

    def _numbered(self, blocks: list[RenderedBlock]) -> list[dict[str, Any]]:
        fields = [
            {"part": self._part, "index": index, "html": block.html, "end": block.end, "joins": block.joins}
            for index, block in enumerate(blocks, self._index)
        ]
        self._index += len(blocks)
        return fields
