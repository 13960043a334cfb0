"""The caller's own tokens: listed, made and revoked."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked, person, sent, token_of
from chat.api.finding import find_conversation, find_workspace
from chat.api.paging import PageAsked, paged
from chat.api.schema import described, page_of
from chat.api.shapes.tokens import NewTokenShape, TokenShape, TokenWish
from chat.broadcast.announcing import announce_access
from chat.models import ApiToken, Scope
from chat.origins import origin_of
from chat.tokens import create_token, revoke_token
from sessions_app.errors import NotFound
from sessions_app.models import Trigger


class Tokens(Resource):
    changes = Scope.ADMIN

    @described("List tokens", gives=page_of(TokenShape), asks=PageAsked)
    def get(self, request: Request) -> Response:
        """Your own tokens, the newest first: what each may do and when it was last used. A token that is good
        for one workspace or conversation lists and revokes only those with the same limit."""
        rows = tokens_of(request)
        return Response(
            paged(
                rows,
                by=("-created", "-digest"),
                shape=TokenShape,
                page=asked(request, PageAsked),
            )
        )

    @described("Create a token", gives=NewTokenShape, sends=TokenWish, status=201)
    def post(self, request: Request) -> Response:
        """Makes a token of yours. It is shown in this answer and never again. A token can make another only
        within what it may do itself."""
        wish = sent(request, TokenWish)
        conversation = find_conversation(request, wish["conversation"]) if "conversation" in wish else None
        workspace = find_workspace(request, wish["workspace"]) if "workspace" in wish else None
        row, token = create_token(
            person(request),
            name=wish["name"],
            scope=Scope(wish["scope"]),
            days=wish["days"],
            workspace=workspace,
            conversation=conversation,
            with_token=token_of(request),
            origin=origin_of(request, Trigger.REST),
        )
        return Response({**TokenShape(row).data, "token": token}, status=201)


class OneToken(Resource):
    changes = Scope.ADMIN

    @described("Revoke a token", gives=None, status=204)
    def delete(self, request: Request, public_id: UUID) -> Response:
        """From the next request on it opens nothing."""
        found = tokens_of(request).filter(public_id=public_id).first()
        if found is None:
            raise NotFound("You have no such token.")
        revoke_token(found, by=person(request), origin=origin_of(request, Trigger.REST))
        announce_access()
        return Response(status=204)


def tokens_of(request: Request) -> QuerySet[ApiToken]:
    return ApiToken.objects.visible_to(person(request)).within(token_of(request))
