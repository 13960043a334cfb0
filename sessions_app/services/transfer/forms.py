"""The forms in which a conversation goes out: as what, under which name, and through which writer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from django.db import models

from sessions_app.models import Conversation, User
from sessions_app.services.audit import Origin
from sessions_app.services.transfer.export import as_json, as_jsonl
from sessions_app.services.transfer.head import open_export, open_reading
from sessions_app.services.transfer.markdown import as_markdown

BLOCK_CHARACTERS = 64 * 1024


class Form(models.TextChoices):
    MARKDOWN = "markdown", "Markdown, to read"
    JSON = "json", "JSON, everything in one document"
    JSONL = "jsonl", "JSONL, everything, a record a line"


MEDIA_TYPES = {
    Form.MARKDOWN: "text/markdown; charset=utf-8",
    Form.JSON: "application/json",
    Form.JSONL: "application/jsonl",
}
ENDINGS = {Form.MARKDOWN: "md", Form.JSON: "json", Form.JSONL: "jsonl"}
WRITERS: dict[Form, Callable[..., Iterator[str]]] = {Form.JSON: as_json, Form.JSONL: as_jsonl}


def open_form(conversation: Conversation, *, form: Form, by: User | None, origin: Origin) -> Iterator[str]:
    """The export's text in pieces of some size. What can be refused is refused here, before the first of them."""
    if form is Form.MARKDOWN:
        session = open_reading(conversation, by=by, origin=origin, form=form)
        return in_blocks(as_markdown(session))
    head = open_export(conversation, by=by, origin=origin, form=form)
    return in_blocks(WRITERS[form](head))


def file_name(conversation: Conversation, form: Form) -> str:
    """Of letters that every system can have in a name."""
    name = re.sub(r"[^a-z0-9._-]+", "-", conversation.key)
    return f"{name}.{ENDINGS[form]}"


def in_blocks(pieces: Iterator[str]) -> Iterator[str]:
    block: list[str] = []
    size = 0
    for piece in pieces:
        block.append(piece)
        size += len(piece)
        if size >= BLOCK_CHARACTERS:
            yield "".join(block)
            block, size = [], 0
    if block:
        yield "".join(block)
