"""A conversation as a file: whole, or to be read."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, came_by, person, sent
from chat.api.finding import find_conversation
from chat.api.schema import described
from chat.api.standing import standing_in
from chat.downloads import download
from chat.models import Scope
from chat.rates import Rate
from sessions_app.services.transfer.forms import MEDIA_TYPES, Form, open_form


class ExportWish(serializers.Serializer[Any]):
    form = serializers.ChoiceField(Form.choices, default=Form.JSONL)


class Exports(Resource):
    """A POST, because the audit log tells of it; it changes nothing else, so that a reader's token will do."""

    changes = Scope.READ
    rate = Rate.EXPORT

    @described(
        "Export a conversation",
        gives=None,
        sends=ExportWish,
        gives_files=[kind.partition(";")[0] for kind in MEDIA_TYPES.values()],
    )
    def post(self, request: Request, conversation: str) -> Response:
        """Gives a file. `jsonl` and `json` hold everything and can be imported; `markdown` is to be read: the
        active session word for word, the others by name. Refused with 409 while an agent answers, except as
        Markdown. docs/export.md describes the format; without its last line a file was cut."""
        found, form = find_conversation(request, conversation), Form(sent(request, ExportWish)["form"])
        pieces = open_form(found, form=form, by=person(request), origin=came_by(request))
        stands = standing_in(request, found.active_session)

        async def send() -> HttpResponseBase:
            return download(found, form, pieces, stands=lambda: stands() is None)

        self.later = send
        return Response()
