"""The table of who may do what, printed from the rules that the services ask."""

from __future__ import annotations

from sessions_app.models import Role
from sessions_app.services.access import ALLOWED, OPERATOR_MAY, Act

MEANING = {
    Act.READ: "read, search, follow",
    Act.WRITE: "start a conversation, post, stop, regenerate, rename, choose the agent",
    Act.CONTROL: "reset, restore, undo, fork, take checkpoints, archive",
    Act.MODERATE: "withdraw what somebody else wrote",
    Act.MEMBERS: "invite people, change roles, remove people, but owners; rename the workspace",
    Act.OWNERS: "make, demote and remove owners, hand the workspace over",
    Act.MANAGE: "set up agents: what they are, where they ask and with which key",
    Act.PURGE: "delete a conversation for ever",
}


def role_table() -> str:
    """Markdown: one row an act, one column a role, and the operator in the admin as the last."""
    head = ["act", "what it covers", *Role.values, "operator"]
    rows = [
        [act.value, MEANING[act], *(_mark(role in ALLOWED[act]) for role in Role), _mark(act in OPERATOR_MAY)]
        for act in Act
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def _mark(is_allowed: bool) -> str:
    return "yes" if is_allowed else "–"  # noqa: RUF001 - as a table shows "no"
