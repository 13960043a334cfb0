"""Assembles the tool calls of a chat completion from their pieces, in all the ways servers cut them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

from chat.events import ToolCall
from chat.providers.shapes import as_object, parsed, text_or_nothing


@dataclass
class Draft:
    """A call that is still arriving."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class CallAssembly:
    """A piece belongs to the call with its id; without one to the call at its index; without either to the latest.

    An id that is new begins a call even where its index is taken: some servers give every call the index 0.
    """

    def __init__(self) -> None:
        self._drafts: list[Draft] = []
        self._by_index: dict[int, Draft] = {}

    def __bool__(self) -> bool:
        return bool(self._drafts)

    def add(self, piece: dict[str, object]) -> None:
        """Takes in one element of a delta's `tool_calls`."""
        function = as_object(piece.get("function") or {})
        name = text_or_nothing(function.get("name"))
        draft = self._draft_for(piece, name)
        draft.id = draft.id or text_or_nothing(piece.get("id"))
        draft.name = draft.name or name
        arguments = function.get("arguments") or ""
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        draft.arguments.append(arguments)

    def calls(self) -> Iterator[ToolCall]:
        for draft in self._drafts:
            yield ToolCall(
                draft.id or f"call_{uuid.uuid4().hex}", draft.name, "".join(draft.arguments) or "{}"
            )

    def are_whole(self) -> bool:
        """Whether each call has a name and arguments that can be read, which no piece of JSON's beginning can."""
        return all(call.name and isinstance(parsed(call.arguments), dict) for call in self.calls())

    def _draft_for(self, piece: dict[str, object], name: str) -> Draft:
        found = self._known(piece, name)
        if found is None:
            found = Draft()
            self._drafts.append(found)
        index = piece.get("index")
        if isinstance(index, int):
            self._by_index[index] = found
        return found

    def _known(self, piece: dict[str, object], name: str) -> Draft | None:
        index, identity = piece.get("index"), piece.get("id")
        if identity:
            same = next((draft for draft in self._drafts if draft.id == identity), None)
            nameless = self._by_index.get(index) if isinstance(index, int) else None
            return same or (nameless if nameless and not nameless.id else None)
        if isinstance(index, int):
            return self._by_index.get(index)
        return self._drafts[-1] if self._drafts and not name else None
