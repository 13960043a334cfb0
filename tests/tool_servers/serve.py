"""A tool server made with the official SDK: python -m tests.tool_servers.serve PORT"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from pathlib import Path

from mcp.server.fastmcp import Context, FastMCP, Image
from mcp.types import (
    BlobResourceContents,
    EmbeddedResource,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from pydantic import AnyUrl

HARMLESS = ToolAnnotations(readOnlyHint=True)


def write(file: str, line: str) -> None:
    with Path(file).open("a", encoding="utf-8") as written:
        written.write(f"{line}\n")


def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


def act(file: str, line: str) -> str:
    """Adds a line to a file: a second call would be a second effect."""
    write(file, line)
    return "done"


async def act_and_hang(file: str, line: str) -> str:
    """Adds a line, and does not come back."""
    write(file, line)
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        write(file, "cancelled")
        raise
    return "never"


async def watch(file: str) -> str:
    """Says that it looks, and comes back when there is something to see."""
    write(file, "looking")
    return await asyncio.to_thread(_seen, Path(f"{file}.there"))


def _seen(file: Path) -> str:
    while not file.exists():
        time.sleep(0.02)
    return "seen"


def flood(count: int) -> str:
    """Answers at length."""
    return "x" * count


def fail() -> str:
    """Cannot do it."""
    raise ValueError("out of kelp")


def show() -> list[TextContent | Image | EmbeddedResource]:
    """Gives back what is not text."""
    note = TextResourceContents(uri=AnyUrl("kelp://note"), text="a note")
    blob = BlobResourceContents(uri=AnyUrl("kelp://file"), mimeType="application/zip", blob="AAAA")
    return [
        TextContent(type="text", text="a text"),
        Image(data=b"\x89PNG", format="png"),
        EmbeddedResource(type="resource", resource=note),
        EmbeddedResource(type="resource", resource=blob),
    ]


def headers(context: Context) -> str:  # type: ignore[type-arg]
    """What the caller sent."""
    request = context.request_context.request
    return "\n".join(f"{name}: {value}" for name, value in request.headers.items()) if request else ""


def made(port: int) -> FastMCP:
    server = FastMCP("kelp", host="127.0.0.1", port=port, log_level="CRITICAL")

    async def grow(context: Context) -> str:  # type: ignore[type-arg]
        """From now on there is another tool, and this one is gone."""
        server.add_tool(act, "grown")
        server.remove_tool("grow")
        await context.session.send_tool_list_changed()
        return "grown"

    for harmless in (add, watch):
        server.add_tool(harmless, annotations=HARMLESS)
    for tool in (act, act_and_hang, flood, fail, show, headers, grow):
        server.add_tool(tool, structured_output=False)
    return server


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    made(int(sys.argv[1])).run(transport="streamable-http")
