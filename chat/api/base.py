"""What every resource shares: who may come in, on which thread it is answered, and how it says no."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, set_response_etag
from rest_framework import exceptions
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from chat.api.authentication import BearerToken, BrowserSession
from chat.api.errors import OutOfScope, TooLarge, answer_error
from chat.api.throttles import count_request
from chat.database_threads import answer, write
from chat.models import ApiToken, Scope
from chat.origins import address_of, origin_of
from chat.rates import Rate, count
from sessions_app.models import Trigger, User
from sessions_app.services.audit import Origin

LARGEST_BODY = 1024 * 1024

S = TypeVar("S", bound=BaseSerializer[Any])


class Json(JSONRenderer):
    charset = None
    ensure_ascii = False


class AlwaysJson(BaseContentNegotiation):
    """Scripts rarely say what they accept, and libraries say anything: the answer is what the address offers."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """Only JSON is read, so that a form on another site can send nothing."""
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == kind), None)

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: Any = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


class InScope(BasePermission):
    """Signed in, and with a token only as far as its scope goes."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if not request.user.is_authenticated:
            raise exceptions.NotAuthenticated
        wanted = Scope.READ if request.method in SAFE_METHODS else view.changes
        if isinstance(request.auth, ApiToken) and not request.auth.may(wanted):
            raise OutOfScope
        return True


class Resource(APIView):
    """Answers on database threads that keep their connections: Django would take a new thread, and with it a
    new connection, for each request. `changes` is the scope a token needs for what is not merely reading, and
    `rate` is what that is counted as, beside being a request.

    With `is_conditional` an answer that the caller has already is a 304.
    A handler that has to wait sets `later`, which is awaited on the event loop when the handler is done.
    """

    changes: ClassVar[Scope] = Scope.WRITE
    rate: ClassVar[Rate | None] = None
    largest_body = LARGEST_BODY
    is_conditional = False
    view_is_async = True
    http_method_names = ("get", "head", "post", "put", "patch", "delete")
    later: Callable[[], Awaitable[HttpResponseBase]] | None = None
    authentication_classes = (BearerToken, BrowserSession)
    permission_classes = (InScope,)
    throttle_classes = ()
    parser_classes = (JSONParser,)
    renderer_classes = (Json,)
    content_negotiation_class = AlwaysJson

    def get_exception_handler(self) -> Callable[..., Any]:
        return answer_error

    async def dispatch(  # type: ignore[override]
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        run = answer if request.method in SAFE_METHODS else write
        response = await run(self._answered, request, *args, **kwargs)
        return response if self.later is None else await self.later()

    async def finish(self, build: Callable[[], Response]) -> HttpResponseBase:
        """The answer after a wait, made on a database thread like any other."""
        return await answer(self._finished, build)

    def _finished(self, build: Callable[[], Response]) -> HttpResponseBase:
        try:
            response = build()
        except Exception as error:
            response = self.handle_exception(error)
        finished: HttpResponseBase = self.finalize_response(self.request, response).render()
        return finished

    def _answered(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response: HttpResponse = super().dispatch(request, *args, **kwargs).render()  # type: ignore[attr-defined]
        if not self.is_conditional or response.status_code != 200:
            return response
        set_response_etag(response)
        response["Cache-Control"] = "private, no-cache"
        return get_conditional_response(request, etag=response["ETag"], response=response) or response

    def perform_authentication(self, request: Request) -> None:
        """Counts the request whoever sends it, before anything else can refuse it."""
        try:
            super().perform_authentication(request)
        finally:
            count_request(request)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdigit() or int(length) > self.largest_body:
            raise TooLarge(f"The body may have at most {self.largest_body} bytes; nothing was changed.")
        if self.rate is not None and request.method not in SAFE_METHODS:
            count_one(request, self.rate)


def person(request: Request) -> User:
    assert isinstance(request.user, User)
    return request.user


def token_of(request: Request) -> ApiToken | None:
    return request.auth if isinstance(request.auth, ApiToken) else None


def count_one(request: Request, rate: Rate) -> None:
    address = address_of(request._request)  # noqa: SLF001 - the library's own request is not one
    count(rate, person=person(request).pk, address=address)


def came_by(request: Request) -> Origin:
    return origin_of(request._request, Trigger.REST)  # noqa: SLF001 - the library's own request is not one


def sent(request: Request, shape: type[S]) -> dict[str, Any]:
    """What was sent, in the shape it must have; anything else is refused by the name of its field."""
    if not isinstance(request.data, dict):
        raise exceptions.ValidationError({"body": "Send a JSON object."})
    found = shape(data=request.data)
    found.is_valid(raise_exception=True)
    values: dict[str, Any] = found.validated_data
    return values


def asked(request: Request, shape: type[S]) -> dict[str, Any]:
    """The same for what stands behind the question mark."""
    found = shape(data={name: request.query_params[name] for name in request.query_params})
    found.is_valid(raise_exception=True)
    values: dict[str, Any] = found.validated_data
    return values
