"""The blocks of content in one of Anthropic's messages, while they arrive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from chat.events import Reasoning, Text, ToolCall
from chat.providers.anthropic_messages import REDACTED
from chat.providers.pieces import PieceJoiner
from chat.providers.shapes import Misshapen, as_object, as_text, text_or_nothing

Said = Iterator[Text | Reasoning]


@dataclass
class Block:
    kind: str
    id: str
    name: str
    signature: str = ""
    arguments: list[str] = field(default_factory=list)


class Blocks:
    """A block that begins twice is a stream that repeats itself, and is refused."""

    def __init__(self) -> None:
        self._blocks: dict[object, Block] = {}
        self._text = PieceJoiner()
        self._thinking = PieceJoiner()

    def read(self, event: dict[str, object]) -> Said:
        """What one of the three `content_block_…` events says."""
        match event["type"]:
            case "content_block_delta":
                yield from self._read_delta(self._block(event), as_object(event.get("delta")))
            case "content_block_start":
                yield from self._begin(event.get("index"), as_object(event.get("content_block")))
            case "content_block_stop":
                yield from self._end(self._block(event))

    def rest(self) -> str:
        return self._text.rest()

    def calls(self) -> Iterator[ToolCall]:
        for block in self._blocks.values():
            if block.kind == "tool_use":
                yield ToolCall(block.id, block.name, "".join(block.arguments) or "{}")

    def _block(self, event: dict[str, object]) -> Block:
        found = self._blocks.get(event.get("index"))
        if found is None:
            raise Misshapen
        return found

    def _begin(self, index: object, content: dict[str, object]) -> Said:
        if not isinstance(index, int) or index in self._blocks:
            raise Misshapen
        kind = as_text(content.get("type"))
        name, identity = text_or_nothing(content.get("name")), text_or_nothing(content.get("id"))
        self._blocks[index] = Block(kind, identity, name)
        if kind == "redacted_thinking":
            yield Reasoning("", REDACTED + as_text(content.get("data")))
        elif kind == "text" and (piece := self._text.join(text_or_nothing(content.get("text")))):
            yield Text(piece)

    def _read_delta(self, block: Block, delta: dict[str, object]) -> Said:
        match delta.get("type"):
            case "text_delta":
                if piece := self._text.join(as_text(delta.get("text"))):
                    yield Text(piece)
            case "thinking_delta":
                if piece := self._thinking.join(as_text(delta.get("thinking"))):
                    yield Reasoning(piece)
            case "signature_delta":
                block.signature += as_text(delta.get("signature"))
            case "input_json_delta":
                block.arguments.append(as_text(delta.get("partial_json")))

    def _end(self, block: Block) -> Said:
        """The signature comes with the last piece of its block, and once."""
        if block.signature:
            yield Reasoning("", block.signature)
            block.signature = ""
