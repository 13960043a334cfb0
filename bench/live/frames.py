"""WebSocket frames by hand, as cheap as a reader can be: what it costs is not what is measured."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FINAL, MASKED = 0x80, 0x80


def handshake(host: str, cookie: str) -> bytes:
    lines = [
        "GET /ws/ HTTP/1.1",
        f"Host: {host}",
        f"Origin: http://{host}",
        f"Cookie: {cookie}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: holdfast.1",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def client_frame(kind: int, payload: bytes) -> bytes:
    """A client has to mask; a mask of zeros leaves the bytes as they are."""
    size = len(payload)
    if size < 126:
        head = bytes([FINAL | kind, MASKED | size])
    else:
        head = bytes([FINAL | kind, MASKED | 126]) + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


class FrameReader:
    """Takes bytes as they come and gives the frames that are whole. Daphne sends none in pieces."""

    def __init__(self) -> None:
        self._held = b""

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        data = self._held + data if self._held else data
        at, size = 0, len(data)
        while size - at >= 2:
            length, start = data[at + 1], at + 2
            if length >= 126:
                width = 2 if length == 126 else 8
                length, start = int.from_bytes(data[start : start + width], "big"), start + width
            if start > size or start + length > size:
                break
            yield data[at] & 0x0F, data[start : start + length]
            at = start + length
        self._held = data[at:]
