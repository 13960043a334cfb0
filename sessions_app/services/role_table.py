"""The tables of who may do what, printed from the rules that the services ask."""

from __future__ import annotations

from collections.abc import Iterator

from sessions_app.models import Level, Openness, Role
from sessions_app.services.access import ALLOWED, NEEDS, OPERATOR_MAY, Act
from sessions_app.services.levels import level_of, reaches

MEANING = {
    Act.READ: "read, search, follow",
    Act.WRITE: "start a conversation, post, stop, regenerate, rename, choose the agent",
    Act.CONTROL: "reset, restore, undo, fork, take checkpoints, archive",
    Act.SHARE: "open or close a conversation, and name people in it",
    Act.MODERATE: "withdraw what somebody else wrote",
    Act.MEMBERS: "invite people, change roles, remove people, but owners; rename the workspace",
    Act.OWNERS: "make, demote and remove owners, hand the workspace over",
    Act.MANAGE: "set up agents and tool servers: what they are, where they ask and with which key; import",
    Act.PURGE: "delete a conversation for ever",
}
NOBODY, NOT_NAMED = "no member", "–"  # noqa: RUF001 - as a table shows "no"


def role_table() -> str:
    """Markdown: one row an act, one column a role, and the operator in the admin as the last."""
    head = ["act", "what it covers", *Role.values, "operator"]
    rows = [
        [act.value, MEANING[act], *(_mark(role in ALLOWED[act]) for role in Role), _mark(act in OPERATOR_MAY)]
        for act in Act
    ]
    return _table(head, rows)


def level_table() -> str:
    """Markdown: what an act needs in the conversation, besides the role."""
    head = ["level", *(act.value for act in NEEDS)]
    return _table(
        head, [[level.value, *(_mark(reaches(level, NEEDS[act])) for act in NEEDS)] for level in Level]
    )


def standing_table() -> str:
    """Markdown: the level of everybody there can be, in what is open, restricted and private."""
    head = ["role", "named to", *Openness.values]
    return _table(head, [[*who, *levels] for who, levels in standings()])


def standings() -> Iterator[tuple[tuple[str, str], list[str]]]:
    for role in (*Role.values, None):
        for named in (None, *Level.values):
            levels = [level_of(openness, role, named) or NOT_NAMED for openness in Openness.values]
            yield (role or NOBODY, named or NOT_NAMED), [str(level) for level in levels]


def _table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def _mark(is_allowed: bool) -> str:
    return "yes" if is_allowed else "–"  # noqa: RUF001 - as a table shows "no"
