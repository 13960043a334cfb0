"""Two views without a framework: the same rows are read and written, and nothing is described, counted or checked.

They run on the product's database threads: Django's own would open a connection for each request.
"""

from __future__ import annotations

import json
import uuid

from django.http import HttpRequest, JsonResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from knox.crypto import hash_token

from chat.database_threads import answer, write
from chat.models import ApiToken
from sessions_app.models import Conversation, Message, User
from sessions_app.services.folding import text_of
from sessions_app.services.transcript import post_message

PAGE = 50


async def page(request: HttpRequest, public_id: uuid.UUID) -> JsonResponse:
    return await answer(_page, request, public_id)


@csrf_exempt
async def post(request: HttpRequest, public_id: uuid.UUID) -> JsonResponse:
    return await write(_post, request, public_id)


def _page(request: HttpRequest, public_id: uuid.UUID) -> JsonResponse:
    """Who asks, what they may see, and the newest messages: three queries."""
    conversation = _conversation(_user(request), public_id)
    rows = Message.objects.filter(session_id=conversation.active_session_id)
    found = list(rows.select_related("author", "agent").order_by("-first_seq")[:PAGE])
    return JsonResponse({"items": [_shown(message) for message in reversed(found)]})


def _post(request: HttpRequest, public_id: uuid.UUID) -> JsonResponse:
    """The product's own service: whatever it inserts is inserted here as well."""
    user = _user(request)
    text = json.loads(request.body)["text"]
    posted = post_message(_conversation(user, public_id), by=user, text=text, client_id=uuid.uuid4().hex)
    return JsonResponse({"message": _shown(posted.message)}, status=201)


def _user(request: HttpRequest) -> User:
    digest = hash_token(request.headers["Authorization"].removeprefix("Bearer "))
    user: User = ApiToken.objects.select_related("user").get(digest=digest).user
    return user


def _conversation(user: User, public_id: uuid.UUID) -> Conversation:
    return Conversation.objects.visible_to(user).get(public_id=public_id)


def _shown(message: Message) -> dict[str, object]:
    author = message.author or message.agent
    assert author is not None
    content = json.loads(message.content)
    return {
        "id": str(message.public_id),
        "role": message.role,
        "author": {"id": str(author.public_id), "name": author.name},
        "text": text_of(content),
        **content,
        "is_sealed": message.is_sealed,
        "first_seq": message.first_seq,
        "sealed_seq": message.sealed_seq,
        "digest": message.digest,
        "posted_at": message.posted_at.isoformat(),
    }


urlpatterns = [
    path("bare/<uuid:public_id>", page),
    path("bare/<uuid:public_id>/post", post),
    path("", include("config.urls")),
]
