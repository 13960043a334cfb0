"""The table: one line for each address and method of the API, one column for each caller.

`scope` is what a token needs for it. *small* is alice's token with the scope below that, *elsewhere* her token
that is good for another workspace only; all others come with a token that has exactly the scope. *bob* is a
stranger, *vera* a viewer, *mia* a member, *ada* an admin, *alice* the owner of everything that is named. A row
that changes who is in the workspace stands behind those that read it; a new one, with its own agent, comes last.
"""

from __future__ import annotations

from dataclasses import dataclass

from chat.models import Scope

TABLE = """
method path                                                  scope    nobody bob vera mia ada alice small elsewhere
GET    /api/v1/schema                                        none     200    200 200  200 200 200   200   200
GET    /api/v1/docs                                          none     200    200 200  200 200 200   200   200
GET    /api/v1/me                                            read     401    200 200  200 200 200   200   200
GET    /api/v1/workspaces                                    read     401    200 200  200 200 200   200   200
GET    /api/v1/workspaces/{slug}                             read     401    404 200  200 200 200   200   404
GET    /api/v1/workspaces/{slug}/members/me                  read     401    404 200  200 200 200   200   404
GET    /api/v1/workspaces/{slug}/members/{person_id}         read     401    404 200  200 200 200   200   404
GET    /api/v1/workspaces/{slug}/invitations                 read     401    404 403  403 200 200   200   404
GET    /api/v1/workspaces/{slug}/audit                       read     401    404 403  403 200 200   200   404
PATCH  /api/v1/workspaces/{slug}                             admin    401    404 403  403 200 200   403   404
DELETE /api/v1/workspaces/{slug}/members/me                  admin    401    404 204  204 204 409   403   404
PATCH  /api/v1/workspaces/{slug}/members/{person_id}         admin    401    404 403  403 200 200   403   404
DELETE /api/v1/workspaces/{slug}/members/{person_id}         admin    401    404 403  403 204 204   403   404
PUT    /api/v1/workspaces/{slug}/ownership                   admin    401    404 403  403 403 200   403   404
POST   /api/v1/workspaces/{slug}/invitations                 admin    401    404 403  403 201 201   403   404
DELETE /api/v1/workspaces/{slug}/invitations/{public_id}     admin    401    404 403  403 204 204   403   404
GET    /api/v1/members                                       read     401    200 200  200 200 200   200   200
GET    /api/v1/agents                                        read     401    200 200  200 200 200   200   200
POST   /api/v1/agents                                        admin    401    404 403  403 201 201   403   404
GET    /api/v1/agents/{public_id}                            read     401    404 200  200 200 200   200   404
PATCH  /api/v1/agents/{public_id}                            admin    401    404 403  403 200 200   403   404
GET    /api/v1/tool-servers                                  read     401    200 200  200 200 200   200   200
POST   /api/v1/tool-servers                                  admin    401    404 403  403 201 201   403   404
GET    /api/v1/tool-servers/{public_id}                      read     401    404 200  200 200 200   200   404
PATCH  /api/v1/tool-servers/{public_id}                      admin    401    404 403  403 200 200   403   404
POST   /api/v1/tool-servers/{public_id}/listings             admin    401    404 403  403 409 409   403   404
GET    /api/v1/conversations                                 read     401    200 200  200 200 200   200   200
POST   /api/v1/conversations                                 write    401    404 403  201 201 201   403   404
GET    /api/v1/conversations/{conversation}                  read     401    404 200  200 200 200   200   404
PATCH  /api/v1/conversations/{conversation}                  write    401    404 403  200 200 200   403   404
PATCH  /api/v1/conversations/{conversation}/settings         write    401    404 403  200 200 200   403   404
PUT    /api/v1/conversations/{conversation}/pin              write    401    404 204  204 204 204   403   404
DELETE /api/v1/conversations/{conversation}/pin              write    401    404 204  204 204 204   403   404
PUT    /api/v1/conversations/{conversation}/archive          control  401    404 403  204 204 204   403   404
DELETE /api/v1/conversations/{conversation}/archive          control  401    404 403  204 204 204   403   404
PUT    /api/v1/conversations/{conversation}/deletion         control  401    404 403  204 204 204   403   404
DELETE /api/v1/conversations/{conversation}/deletion         control  401    404 403  204 204 204   403   404
GET    /api/v1/conversations/{conversation}/sessions         read     401    404 200  200 200 200   200   404
GET    /api/v1/conversations/{conversation}/messages         read     401    404 200  200 200 200   200   404
POST   /api/v1/conversations/{conversation}/messages         write    401    404 403  201 201 201   403   404
GET    /api/v1/conversations/{conversation}/checkpoints      read     401    404 200  200 200 200   200   404
POST   /api/v1/conversations/{conversation}/checkpoints      control  401    404 403  201 201 201   403   404
POST   /api/v1/conversations/{conversation}/compactions      write    401    404 403  204 204 204   403   404
GET    /api/v1/conversations/{conversation}/resets/preview   read     401    404 403  200 200 200   200   404
POST   /api/v1/conversations/{conversation}/resets           control  401    404 403  201 201 201   403   404
POST   /api/v1/conversations/{conversation}/restores         control  401    404 403  201 201 201   403   404
POST   /api/v1/conversations/{conversation}/undos            control  401    404 403  201 201 201   403   404
GET    /api/v1/conversations/{conversation}/audit            read     401    404 200  200 200 200   200   404
GET    /api/v1/conversations/{conversation}/access           read     401    404 200  200 200 200   200   404
PATCH  /api/v1/conversations/{conversation}/access           control  401    404 403  403 200 200   403   404
PUT    /api/v1/conversations/{conversation}/access/{person_id} control 401   404 403  403 200 200   403   404
DELETE /api/v1/conversations/{conversation}/access/{person_id} control 401   404 403  403 204 204   403   404
POST   /api/v1/conversations/{conversation}/exports          read     401    404 200  200 200 200   200   404
POST   /api/v1/imports?workspace=kelp                        admin    401    404 403  403 200 200   403   404
GET    /api/v1/sessions/{public_id}                          read     401    404 200  200 200 200   200   404
GET    /api/v1/sessions/{public_id}/messages                 read     401    404 200  200 200 200   200   404
GET    /api/v1/sessions/{public_id}/events                   read     401    404 200  200 200 200   200   404
GET    /api/v1/messages/{public_id}                          read     401    404 200  200 200 200   200   404
POST   /api/v1/messages/{public_id}/edits                    control  401    404 403  403 403 201   403   404
POST   /api/v1/messages/{public_id}/forks                    control  401    404 403  201 201 201   403   404
GET    /api/v1/turns/{public_id}                             read     401    404 200  200 200 200   200   404
POST   /api/v1/turns/{public_id}/stop                        write    401    404 403  200 200 200   403   404
POST   /api/v1/turns/{public_id}/withdraw                    write    401    404 403  403 200 200   403   404
POST   /api/v1/turns/{public_id}/continue                    write    401    404 403  201 201 201   403   404
POST   /api/v1/turns/{public_id}/retry                       write    401    404 403  201 201 201   403   404
GET    /api/v1/search?q=kelp                                 read     401    200 200  200 200 200   200   200
GET    /api/v1/tokens                                        read     401    200 200  200 200 200   200   200
POST   /api/v1/tokens                                        admin    401    404 201  201 201 201   403   404
DELETE /api/v1/tokens/{public_id}                            admin    401    404 404  404 404 204   403   404
GET    /v1/models                                            read     401    200 200  200 200 200   200   200
GET    /v1/models/{model}                                    read     401    404 200  200 200 200   200   404
POST   /v1/chat/completions                                  write    401    404 403  200 200 200   403   404
POST   /api/v1/workspaces                                    admin    401    201 201  201 201 201   403   403
"""


@dataclass(frozen=True)
class Row:
    method: str
    path: str
    scope: Scope | None
    statuses: dict[str, int]

    @property
    def name(self) -> str:
        return f"{self.method} {self.path.partition('?')[0]}"

    @property
    def is_reading(self) -> bool:
        return self.method == "GET"


def rows() -> list[Row]:
    head, *lines = [line.split() for line in TABLE.strip().splitlines()]
    return [row(dict(zip(head, line, strict=True))) for line in lines]


def row(cells: dict[str, str]) -> Row:
    method, path, scope = (cells.pop(name) for name in ("method", "path", "scope"))
    statuses = {caller: int(status) for caller, status in cells.items()}
    return Row(method, path, None if scope == "none" else Scope(scope), statuses)
