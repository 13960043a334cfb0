"""The addresses of the pages, and of what their scripts ask for."""

from django.urls import include, path

from chat.pages import (
    access,
    agents,
    conversation,
    conversation_actions,
    deleted,
    health,
    home,
    invitations,
    joining,
    log,
    members,
    message_actions,
    messages,
    search,
    session_control,
    session_history,
    tokens,
    tool_servers,
    transfers,
    workspaces,
)

workspace = [
    path("", home.workspace_home, name="workspace"),
    path("conversations/new/", home.new_conversation, name="new_conversation"),
    path("conversations/", home.sidebar, name="sidebar"),
    path("workspaces/", home.own_workspaces, name="own_workspaces"),
    path("settings/", home.workspace_settings, name="workspace_settings"),
    path("name/", workspaces.names, name="workspace_names"),
    path("members/", members.members, name="members"),
    path("members/<uuid:person_id>/roles/", members.roles, name="member_roles"),
    path("members/<uuid:person_id>/removals/", members.removals, name="member_removals"),
    path("members/<uuid:person_id>/handovers/", members.handovers, name="handovers"),
    path("departures/", members.departures, name="departures"),
    path("invitations/", invitations.invitations, name="invitations"),
    path("invitations/<uuid:public_id>/revocations/", invitations.revocations, name="invitation_revocations"),
    path("search/", search.search_page, name="search"),
    path("deleted/", deleted.deleted, name="deleted"),
    path("agents/", agents.agents, name="agents"),
    path("agents/<uuid:public_id>/", agents.agent, name="agent"),
    path("tool-servers/", tool_servers.tool_servers, name="tool_servers"),
    path("tool-servers/<uuid:public_id>/", tool_servers.tool_server, name="tool_server"),
    path("tool-servers/<uuid:public_id>/listings/", tool_servers.listings, name="tool_server_listings"),
    path("import/", transfers.import_page, name="import"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<uuid:public_id>/revocations/", tokens.revocations, name="token_revocations"),
]

one_conversation = [
    path("", conversation.conversation, name="conversation"),
    path("messages/", messages.messages, name="messages"),
    path("title/", conversation_actions.title, name="title"),
    path("settings/", conversation_actions.settings, name="settings"),
    path("access/", access.access, name="access"),
    path("openness/", access.openness, name="openness"),
    path("grants/", access.grants, name="grants"),
    path("pin/", conversation_actions.pin, name="pin"),
    path("archive/", conversation_actions.archive, name="archive"),
    path("checkpoints/", conversation_actions.checkpoints, name="checkpoints"),
    path("draft/", conversation_actions.draft, name="draft"),
    path("context/", conversation_actions.context, name="context"),
    path("history/", session_history.session_history, name="session_history"),
    path("reset/", session_control.reset, name="reset"),
    path("resets/", session_control.resets, name="resets"),
    path("undos/", session_control.undos, name="undos"),
    path("exports/", transfers.exports, name="exports"),
    path("recovery/", session_control.recovery, name="recovery"),
    path("deletions/", deleted.deletions, name="deletions"),
    path("undeletions/", deleted.undeletions, name="undeletions"),
    path("purges/", deleted.purges, name="purges"),
]

one_session = [
    path("", conversation.session, name="session"),
    path("messages/", messages.message_window, name="message_window"),
    path("messages/<uuid:message_id>/", messages.message, name="message"),
    path("messages/<uuid:message_id>/text", messages.message_text, name="message_text"),
    path("notices/<int:seq>/", messages.notice, name="notice"),
    path("read/", conversation_actions.read, name="read"),
    path("restores/", session_control.session_restores, name="session_restores"),
    path("last-read/<int:seq>/", messages.last_read, name="last_read"),
]

one_message = [
    path("edits/", message_actions.edits, name="edits"),
    path("forks/", message_actions.forks, name="forks"),
    path("continuations/", message_actions.continuations, name="continuations"),
    path("versions/", message_actions.versions, name="versions"),
]

one_checkpoint = [
    path("", session_control.checkpoint, name="checkpoint"),
    path("restores/", session_control.checkpoint_restores, name="checkpoint_restores"),
]

urlpatterns = [
    path("", home.index, name="index"),
    path("workspaces/", workspaces.workspaces, name="workspaces"),
    path("workspaces/<slug:slug>/", include(workspace)),
    path("invitations/", joining.kept, name="kept_invitation"),
    path("invitations/<str:token>/", joining.invitation, name="invitation"),
    path("conversations/<uuid:public_id>/", include(one_conversation)),
    path("sessions/<uuid:public_id>/events", log.events, name="events"),
    path("sessions/<uuid:public_id>/", include(one_session)),
    path("messages/<uuid:public_id>/", include(one_message)),
    path("checkpoints/<uuid:public_id>/", include(one_checkpoint)),
    path("turns/<uuid:public_id>/stop/", message_actions.stop, name="stop"),
    path("turns/<uuid:public_id>/withdraw/", message_actions.withdraw, name="withdraw"),
    path("imports/<slug:slug>/", transfers.imports, name="imports"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("", include("chat.pages.account_urls")),
]
