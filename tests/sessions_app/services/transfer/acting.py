"""Exports and imports in the fewest words."""

from __future__ import annotations

import tempfile
from typing import IO

from sessions_app.models import Conversation, User, Workspace
from sessions_app.services.audit import COMMAND
from sessions_app.services.transfer.forms import Form, open_form
from sessions_app.services.transfer.importing import Imported, Plan, import_conversation, plan_import


def exported(conversation: Conversation, *, form: Form = Form.JSONL, by: User | None = None) -> bytes:
    return "".join(open_form(conversation, form=form, by=by, origin=COMMAND)).encode()


def imported(content: bytes, workspace: Workspace, *, by: User | None = None) -> Imported:
    with file_of(content) as file:
        return import_conversation(file, workspace=workspace, by=by, origin=COMMAND)


def planned(content: bytes, workspace: Workspace, *, by: User | None = None) -> Plan:
    with file_of(content) as file:
        return plan_import(file, workspace=workspace, by=by)


def file_of(content: bytes) -> IO[bytes]:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - its caller closes it
    file.write(content)
    file.flush()
    return file


def without_header(content: bytes) -> list[bytes]:
    """The records behind the first, which alone may differ."""
    return [line for line in content.splitlines(keepends=True) if b'"record":"header"' not in line]
