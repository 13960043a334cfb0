"""What the page offers somebody in a conversation: the rules of the services, asked once for all its buttons."""

from __future__ import annotations

from sessions_app.models import Conversation, Session, User
from sessions_app.services.access import Act, allows, standing_in


def rights(user: User, conversation: Conversation, session: Session) -> dict[str, object]:
    found = standing_in(user, conversation)
    is_at_hand = session.is_active and not conversation.is_archived
    can_control = allows(found, Act.CONTROL)
    return {
        "can_write": is_at_hand and allows(found, Act.WRITE),
        "can_control": is_at_hand and can_control,
        "may_restore": can_control and not conversation.is_archived,
        "may_unarchive": can_control,
        "level": found.level,
    }
