"""Who the caller is."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, person, token_of
from chat.api.finding import workspaces_of
from chat.api.schema import described
from chat.api.shapes.fields import Id
from chat.api.shapes.teams import OwnMembershipShape
from chat.api.shapes.tokens import TokenShape
from sessions_app.models import Membership


class MeShape(serializers.Serializer[Any]):
    """`token` is the one this request came with; null for a browser."""

    id = Id()
    username = serializers.CharField()
    name = serializers.CharField()
    memberships = OwnMembershipShape(many=True)
    token = TokenShape(allow_null=True)


class Me(Resource):
    @described("Who am I", gives=MeShape)
    def get(self, request: Request) -> Response:
        """The person this token or login belongs to, and their role in each workspace it reaches."""
        user, token = person(request), token_of(request)
        places = Membership.objects.filter(user=user, workspace__in=workspaces_of(request))
        told = {
            "public_id": user.public_id,
            "username": user.username,
            "name": user.name,
            "memberships": places.select_related("workspace").order_by("workspace__slug"),
            "token": token,
        }
        return Response(MeShape(told).data)
