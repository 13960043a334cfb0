"""Keeps the body of a request in a file, whatever its size, so that it can be read more than once."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from typing import IO

from django.conf import settings
from django.http import HttpRequest

from sessions_app.errors import ImportRefused

PIECE = 256 * 1024


@contextlib.contextmanager
def body_as_file(request: HttpRequest) -> Iterator[IO[bytes]]:
    """Gone when the block is left."""
    with tempfile.TemporaryFile() as file:
        size = 0
        while piece := request.read(PIECE):
            size += len(piece)
            if size > settings.LARGEST_IMPORT:
                raise ImportRefused(
                    f"The file has more than {settings.LARGEST_IMPORT // 1024**2} MiB; nothing was imported."
                )
            file.write(piece)
        file.flush()
        yield file
