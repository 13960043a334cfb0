"""Turns what a tool of a server gave back into text: models and people read that alone."""

from __future__ import annotations

import json
from typing import Any


def text_of(result: Any) -> str:
    """Of `mcp.types.CallToolResult`: texts as they are, of everything else what it is and how large."""
    parts = [_told(block) for block in result.content]
    if not parts and result.structuredContent is not None:
        parts = [json.dumps(result.structuredContent, ensure_ascii=False)]
    return "\n\n".join(parts) or "The tool gave nothing back."


def _told(block: Any) -> str:
    match block.type:
        case "text":
            return str(block.text)
        case "image" | "audio":
            return (
                f"[{_noun(block.type)} of {_size(block.data)} ({_kind(block)}) came back; it is not shown.]"
            )
        case "resource_link":
            return f"[A link to “{str(block.name)[:200]}”: {str(block.uri)[:500]}]"
        case "resource":
            return _resource(block.resource)
    return "[Something of an unknown kind came back; it is not shown.]"


def _resource(resource: Any) -> str:
    text = getattr(resource, "text", None)
    if text is not None:
        return str(text)
    return f"[A file of {_size(resource.blob)} ({_kind(resource)}) came back; it is not shown.]"


def _noun(kind: str) -> str:
    return "An image" if kind == "image" else "A recording"


def _kind(block: Any) -> str:
    return str(getattr(block, "mimeType", None) or "of unknown kind")[:60]


def _size(base64: str) -> str:
    return f"{len(base64) * 3 // 4 - base64[-2:].count('='):,} bytes"
