"""How the API describes itself: one decorator an operation, and the problems each may answer with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from chat.api.examples import example_of
from chat.api.problems import MEDIA_TYPE

F = TypeVar("F", bound=Callable[..., Any])
Shape = type[serializers.BaseSerializer[Any]]

JSON = "application/json"
READING = (400, 401, 403, 404, 409, 429, 503)
CHANGING = (400, 401, 403, 404, 409, 413, 415, 429, 503)
KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="1 to 100 characters of your choice: the same request again with the same key is done once.",
)
WORKSPACE = OpenApiParameter(
    "workspace",
    str,
    description="the slug of the workspace that is meant, where several of yours have a conversation by this key",
)
STREAM = {"text/event-stream": {"schema": {"type": "string"}}}


class FieldProblem(serializers.Serializer[Any]):
    field = serializers.CharField()
    detail = serializers.CharField()


class Problem(serializers.Serializer[Any]):
    """RFC 9457. `code` is stable, `detail` says in a sentence what is wrong and what to do."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    facts = serializers.DictField(required=False)
    errors = FieldProblem(many=True, required=False)  # type: ignore[assignment]


class Schema(AutoSchema):
    """Operations are grouped by the first noun of their address."""

    def get_tags(self) -> list[str]:
        words = self.path.removeprefix("/api/v1/").strip("/").split("/")
        return ["openai"] if self.path.startswith("/v1/") else [words[0]]

    def get_override_parameters(self) -> list[Any]:
        """What an address that names a conversation by its key can be asked with besides."""
        return [WORKSPACE] if "{conversation}" in self.path else []

    def _get_response_bodies(self, *direction: Any) -> Any:
        """The one address that gives the same in another form where it is asked to."""
        bodies = super()._get_response_bodies(*direction)
        if self.path.endswith("/events"):
            bodies["200"]["content"] |= STREAM
        return bodies


def described(
    summary: str,
    *,
    gives: Shape | None,
    sends: Shape | None = None,
    asks: Shape | None = None,
    status: int = 200,
    also: Iterable[OpenApiParameter] = (),
    media_type: str = JSON,
    takes_files: Sequence[str] = (),
    gives_files: Sequence[str] = (),
    or_there: bool = False,
) -> Callable[[F], F]:
    """Says of an operation what it takes and gives; its docstring is the description. Files are of these media
    types, and their examples are in the guide. With `or_there` 200 says that nothing had to be done."""
    examples = [_example(sends, request_only=True)] if sends else []
    if gives is not None and media_type == JSON:
        examples.append(_example(gives, response_only=True, status_codes=[str(status)]))
    parameters: list[Any] = [*also, *([asks] if asks else [])]
    problems = READING if sends is None and not takes_files and status == 200 else CHANGING
    answered: Any = OpenApiResponse(gives, "Done.") if gives else OpenApiResponse(description="Done.")
    return extend_schema(
        operation_id=summary.lower().replace("'s ", "s ").replace(" ", "_"),
        summary=summary,
        parameters=parameters,
        request=dict.fromkeys(takes_files, OpenApiTypes.BINARY) or sends,
        responses={
            **{(status, kind): OpenApiResponse(_file_of(kind), "Done.") for kind in gives_files},
            **({} if gives_files else {(status, media_type) if gives else status: answered}),
            **({(200, media_type): OpenApiResponse(gives, "It was there already.")} if or_there else {}),
            **{(code, MEDIA_TYPE): OpenApiResponse(Problem, PROBLEMS[code]) for code in problems},
        },
        examples=examples,
    )


def _file_of(kind: str) -> OpenApiTypes:
    return OpenApiTypes.OBJECT if kind == JSON else OpenApiTypes.BINARY


PROBLEMS = {
    400: "What was sent cannot be used; fields are named.",
    401: "No token, or one that is not known here.",
    403: "Your role or the token's scope does not allow it.",
    404: "There is nothing by this name that you may see.",
    409: "Somebody else was first, or it is in another state; look again.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    429: "Too fast; Retry-After says how long to wait.",
    503: "The database is busy; Retry-After says how long to wait.",
}


def page_of(shape: type[serializers.Serializer[Any]]) -> Shape:
    """A page of a list: `items`, and the cursor of the `next` one or null."""
    name = shape.__name__.removesuffix("Shape")
    fields = {
        "items": shape(many=True),
        "next": serializers.CharField(
            allow_null=True, help_text="the cursor of the next page; null on the last"
        ),
        "of": shape,
        "__doc__": f"A page of {name.lower()}s.",
    }
    return type(f"{name}Page", (serializers.Serializer,), fields)


def _example(shape: Shape, **options: Any) -> OpenApiExample:
    return OpenApiExample(shape.__name__, value=example_of(shape), **options)
