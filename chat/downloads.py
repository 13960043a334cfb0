"""Sends a text that is made piece by piece, to whoever may have it for as long as they may."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator

from django.http import StreamingHttpResponse

from chat.database_threads import answer
from sessions_app.models import Conversation
from sessions_app.services.transfer.forms import MEDIA_TYPES, Form, file_name

LOOK_SECONDS = 3.0


def download(
    conversation: Conversation, form: Form, pieces: Iterator[str], *, stands: Callable[[], bool]
) -> StreamingHttpResponse:
    """A file to be kept, of which we hold no more than the piece that is under way."""
    headers = {
        "Content-Disposition": f'attachment; filename="{file_name(conversation, form)}"',
        "Cache-Control": "no-store",
    }
    return StreamingHttpResponse(_sent(pieces, stands), content_type=MEDIA_TYPES[form], headers=headers)


async def _sent(pieces: Iterator[str], stands: Callable[[], bool]) -> AsyncIterator[bytes]:
    """Whoever loses access meanwhile is left with a torn file, which nobody imports."""
    looked_at = time.monotonic()
    while (piece := await answer(next, pieces, None)) is not None:
        yield piece.encode()
        if time.monotonic() - looked_at >= LOOK_SECONDS:
            if not await answer(stands):
                return
            looked_at = time.monotonic()
