"""The addresses of the API."""

from __future__ import annotations

from django.urls import include, path, re_path

from chat.api import (
    agents,
    audit,
    checkpoints,
    compactions,
    conversations,
    documents,
    events,
    invitations,
    me,
    members,
    messages,
    moves,
    nowhere,
    search,
    sessions,
    tokens,
    turns,
    workspaces,
)
from chat.api.openai import agents as models
from chat.api.openai import base, completions

v1 = [
    path("schema", documents.schema, name="api_schema"),
    path("docs", documents.page, name="api_docs"),
    path("me", me.Me.as_view()),
    path("workspaces", workspaces.Workspaces.as_view()),
    path("workspaces/<str:slug>", workspaces.OneWorkspace.as_view()),
    path("workspaces/<str:slug>/members/me", members.OwnMembership.as_view()),
    path("workspaces/<str:slug>/members/<uuid:person_id>", members.OneMember.as_view()),
    path("workspaces/<str:slug>/ownership", members.Ownership.as_view()),
    path("workspaces/<str:slug>/invitations", invitations.Invitations.as_view()),
    path("workspaces/<str:slug>/invitations/<uuid:public_id>", invitations.OneInvitation.as_view()),
    path("members", workspaces.Members.as_view()),
    path("agents", agents.Agents.as_view()),
    path("agents/<uuid:public_id>", agents.OneAgent.as_view()),
    path("conversations", conversations.Conversations.as_view()),
    path("conversations/<str:conversation>", conversations.OneConversation.as_view()),
    path("conversations/<str:conversation>/settings", conversations.Settings.as_view()),
    path("conversations/<str:conversation>/pin", conversations.Pin.as_view()),
    path("conversations/<str:conversation>/archive", conversations.Archive.as_view()),
    path("conversations/<str:conversation>/deletion", conversations.Deletion.as_view()),
    path("conversations/<str:conversation>/sessions", sessions.Sessions.as_view()),
    path("conversations/<str:conversation>/messages", messages.Posts.as_view()),
    path("conversations/<str:conversation>/checkpoints", checkpoints.Checkpoints.as_view()),
    path("conversations/<str:conversation>/compactions", compactions.Compactions.as_view()),
    path("conversations/<str:conversation>/resets/preview", moves.ResetPreview.as_view()),
    path("conversations/<str:conversation>/resets", moves.Resets.as_view()),
    path("conversations/<str:conversation>/restores", moves.Restores.as_view()),
    path("conversations/<str:conversation>/undos", moves.Undos.as_view()),
    path("conversations/<str:conversation>/audit", audit.Audit.as_view()),
    path("sessions/<uuid:public_id>", sessions.OneSession.as_view()),
    path("sessions/<uuid:public_id>/messages", sessions.Transcript.as_view()),
    path("sessions/<uuid:public_id>/events", events.Events.as_view()),
    path("messages/<uuid:public_id>", messages.OneMessage.as_view()),
    path("messages/<uuid:public_id>/edits", messages.Edits.as_view()),
    path("messages/<uuid:public_id>/forks", messages.Forks.as_view()),
    path("turns/<uuid:public_id>", turns.OneTurn.as_view()),
    path("turns/<uuid:public_id>/stop", turns.Stop.as_view()),
    path("turns/<uuid:public_id>/withdraw", turns.Withdraw.as_view()),
    path("turns/<uuid:public_id>/continue", turns.Continue.as_view()),
    path("turns/<uuid:public_id>/retry", turns.Retry.as_view()),
    path("search", search.Search.as_view()),
    path("tokens", tokens.Tokens.as_view()),
    path("tokens/<uuid:public_id>", tokens.OneToken.as_view()),
]

urlpatterns = [
    path("api/v1/", include(v1)),
    re_path("^api/", nowhere.nowhere),
    path("v1/models", models.Models.as_view()),
    path("v1/models/<path:model>", models.OneModel.as_view()),
    path("v1/chat/completions", completions.Completions.as_view()),
    re_path("^v1/", base.nowhere),
]
