"""Takes an exported conversation in."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked, came_by, person
from chat.api.finding import workspace_to_add_to
from chat.api.schema import described
from chat.broadcast.announcing import announce
from chat.models import Scope
from chat.rates import Rate
from chat.uploads import body_as_file
from sessions_app.services.transfer.importing import import_conversation, plan_import
from sessions_app.services.transfer.telling import COUNTED, plan_facts

TAKEN = ("application/jsonl", "application/json", "application/x-ndjson", "application/octet-stream")


class ImportAsked(serializers.Serializer[Any]):
    workspace = serializers.CharField(help_text="the slug of the workspace that it is to come to")
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="only say what would come of it"
    )


class NamedShape(serializers.Serializer[Any]):
    """Somebody whom the file names. Who is not known here comes as a name alone."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    is_known = serializers.BooleanField()


class ImportedShape(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    key = serializers.CharField()
    title = serializers.CharField()


CountsShape = type(
    "CountsShape",
    (serializers.Serializer,),
    {words.replace(" ", "_"): serializers.IntegerField() for words in COUNTED.values()},
)


class ImportShape(serializers.Serializer[Any]):
    """`is_here` is a conversation that was there just so; `conflict` is why it would be refused."""

    done = serializers.BooleanField()
    is_here = serializers.BooleanField()
    conflict = serializers.CharField(allow_null=True)
    conversation = ImportedShape()
    instance = serializers.CharField(help_text="which installation it comes from")
    counts = CountsShape()
    people = NamedShape(many=True)
    agents = NamedShape(many=True)


class Imports(Resource):
    changes = Scope.ADMIN
    rate = Rate.IMPORT
    largest_body = settings.LARGEST_IMPORT

    @described(
        "Import a conversation",
        gives=ImportShape,
        asks=ImportAsked,
        status=201,
        takes_files=TAKEN,
        or_there=True,
    )
    def post(self, request: Request) -> Response:
        """Send the file as the body: JSONL or JSON as an export gives it. All of it is checked before anything is
        written, and it comes whole or not at all, with its ids, its digests and its audit log. The same file again
        finds its conversation and answers 200. With `dry_run` the answer (200) only says what would come. It takes
        the role of an owner or admin: an import brings words under other people's names."""
        fields = asked(request, ImportAsked)
        workspace = workspace_to_add_to(request, fields["workspace"])
        kind = (request.content_type or TAKEN[-1]).partition(";")[0].strip().lower()
        if kind not in TAKEN:
            raise exceptions.UnsupportedMediaType(kind)
        with body_as_file(request._request) as file:  # noqa: SLF001 - the library's own would read all of it
            if fields["dry_run"]:
                plan = plan_import(file, workspace=workspace, by=person(request))
                return Response({"done": False, **plan_facts(plan)})
            found = import_conversation(
                file, workspace=workspace, by=person(request), origin=came_by(request)
            )
        if found.is_new:
            announce(found.conversation)
        return Response({"done": True, **plan_facts(found.plan)}, status=201 if found.is_new else 200)
