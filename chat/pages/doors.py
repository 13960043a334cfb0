"""What every page shares: who asks, what they may see, what they sent, and how a refusal is answered."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST, require_safe

from chat.buckets import TooFast
from chat.origins import address_of
from chat.rates import Rate, count
from sessions_app.errors import Conflict, DatabaseBusy, HoldfastError, Invalid, NotAllowed
from sessions_app.models import Conversation, Message, Session, User, Workspace
from sessions_app.services.access import Act, may_in_workspace

P = ParamSpec("P")
R = TypeVar("R", bound=HttpResponse)
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


class TooLarge(Invalid):
    code = "too_large"
    sentence = "That is more than a page may send at once; nothing was changed."


STATUS = (
    (NotAllowed, 403),
    (TooLarge, 413),
    (Invalid, 400),
    (Conflict, 409),
    (TooFast, 429),
    (DatabaseBusy, 503),
)


def asks(view: View[P]) -> View[P]:
    """A door for the page's scripts that changes nothing."""
    return require_safe(_answering(view))


def acts(view: View[P]) -> View[P]:
    """A door for the page's scripts that changes something; refusals come as JSON with a code and a sentence."""
    return acts_as(Rate.CHANGE)(view)


def acts_as(rate: Rate) -> Callable[[View[P]], View[P]]:
    """The same, counted with what is like it."""

    def door(view: View[P]) -> View[P]:
        @functools.wraps(view)
        def counted(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            count_one(request, rate)
            return view(request, *args, **kwargs)

        opened = require_POST(_answering(counted))
        opened.rate = rate  # type: ignore[attr-defined]  # for whoever walks all doors
        return opened

    return door


def count_one(request: HttpRequest, rate: Rate) -> None:
    count(rate, person=person(request).pk, address=address_of(request))


def _answering(view: View[P]) -> View[P]:
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            return problem("not_signed_in", "You are no longer signed in; nothing was changed.", status=401)
        try:
            return view(request, *args, **kwargs)
        except HoldfastError as error:
            return refusal(error)

    functools.update_wrapper(answer, view)
    return answer


def refusal(error: HoldfastError) -> JsonResponse:
    return told_to_wait(problem(error.code, str(error), status=refusal_status(error), **error.facts), error)


def refusal_status(error: HoldfastError) -> int:
    return next((number for kind, number in STATUS if isinstance(error, kind)), 400)


def told_to_wait(response: R, error: HoldfastError) -> R:
    """How long, where that is what is wrong."""
    if isinstance(error, TooFast):
        response["Retry-After"] = str(error.wait_seconds)
    return response


def problem(code: str, sentence: str, *, status: int, **facts: object) -> JsonResponse:
    return JsonResponse({"code": code, "sentence": sentence, "facts": facts}, status=status)


def person(request: HttpRequest) -> User:
    assert not isinstance(request.user, AnonymousUser)
    return request.user


def visible_conversation(request: HttpRequest, public_id: UUID) -> Conversation:
    found = Conversation.objects.visible_to(person(request)).select_related(
        "workspace", "active_session", "agent"
    )
    return get_object_or_404(found, public_id=public_id)


def visible_session(request: HttpRequest, public_id: UUID) -> Session:
    found = Session.objects.visible_to(person(request)).select_related("conversation__workspace")
    return get_object_or_404(found, public_id=public_id)


def visible_message(request: HttpRequest, public_id: UUID) -> Message:
    found = Message.objects.visible_to(person(request)).select_related("conversation", "session")
    return get_object_or_404(found, public_id=public_id)


def visible_workspace(request: HttpRequest, slug: str) -> Workspace:
    return get_object_or_404(Workspace.objects.visible_to(person(request)), slug=slug)


def managed_workspace(request: HttpRequest, slug: str) -> Workspace:
    """One whose agents and tool servers they set up; for everybody else there is no such page."""
    workspace = visible_workspace(request, slug)
    if not may_in_workspace(person(request), workspace.pk, Act.MANAGE):
        raise Http404
    return workspace


class Fields:
    """What a script sent as a JSON object; what is missing or of another kind is refused by name."""

    def __init__(self, request: HttpRequest) -> None:
        try:
            sent = json.loads(request.body or b"{}")
        except RequestDataTooBig as error:
            raise TooLarge from error
        except (ValueError, RecursionError) as error:
            raise Invalid("The request is no JSON; nothing was changed.") from error
        if not isinstance(sent, dict):
            raise Invalid("The request is no JSON object; nothing was changed.")
        self._sent: dict[str, Any] = sent

    def text(self, name: str) -> str:
        value = self._sent.get(name)
        if not isinstance(value, str):
            raise Invalid(f"“{name}” must be a text; nothing was changed.")
        return value

    def optional_text(self, name: str) -> str | None:
        return None if self._sent.get(name) is None else self.text(name)

    def number(self, name: str) -> int:
        value = self._sent.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
            raise Invalid(f"“{name}” must be a whole number from 0 on; nothing was changed.")
        return value

    def flag(self, name: str) -> bool:
        value = self._sent.get(name)
        if not isinstance(value, bool):
            raise Invalid(f"“{name}” must be true or false; nothing was changed.")
        return value

    def optional_id(self, name: str) -> UUID | None:
        text = self.optional_text(name)
        try:
            return None if text is None else UUID(text)
        except ValueError as error:
            raise Invalid(f"“{name}” must be an id; nothing was changed.") from error
