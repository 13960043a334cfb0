"""The API's description: the same for everybody, made once, and sent again only where it changed."""

from __future__ import annotations

from chat.api.documents import schema_text
from tests.chat.api.conftest import Caller
from tests.chat.live import Live


async def test_the_description_is_made_once_and_not_sent_again(live: Live) -> None:
    nobody = Caller(None)
    first = await nobody.fetch("/api/v1/schema")
    assert (first.status_code, first.headers["Content-Type"]) == (200, "application/yaml")
    assert first.content == schema_text() is schema_text()
    again = await nobody.fetch("/api/v1/schema", If_None_Match=first.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")
