"""A site to take the pictures of recovery.md on: a plan worth keeping, and answers that hang or broke off."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from sessions_app.models import Conversation, User

EXCHANGES = (
    (
        "When do we ship?",
        "On **Thursday**, if the rehearsal on Tuesday goes well.\n\n1. Rehearse\n2. Fix\n3. Ship",
    ),
    ("Who rehearses?", "Mia runs it; Vera watches and takes notes."),
    (
        "What if it fails?",
        "Then we move to next Thursday. Nothing is lost: one press brings every session back.",
    ),
)
LEASE_SECONDS = 90


def main() -> None:
    from sessions_app.models import Conversation, User
    from sessions_app.services.checkpoints import take_checkpoint
    from sessions_app.services.conversations import start_conversation
    from sessions_app.services.deletion import delete_conversation
    from tests.sessions_app.conftest import PAGE

    alice, mia = User.objects.get(username="alice"), User.objects.get(username="mia")
    general = Conversation.objects.get(key="team:general")
    talk(general, alice)
    take_checkpoint(general, by=mia, name="Launch plan agreed")
    leave_an_answer(general, alice, "team:launch", is_cut_off=True)
    leave_an_answer(general, alice, "team:support", is_cut_off=False)
    lunch = start_conversation(general.workspace, by=alice, key="team:lunch", title="Lunch", origin=PAGE)
    delete_conversation(lunch, by=alice, origin=PAGE, reason="eaten")


def talk(conversation: Conversation, asks: User) -> None:
    from sessions_app.services.transcript import post_message
    from tests.sessions_app.acting import answer_turn

    for number, (question, answer) in enumerate(EXCHANGES):
        turn = post_message(conversation, by=asks, text=question, client_id=f"scene-{number}").turn
        assert turn is not None
        answer_turn(turn, answer)


def leave_an_answer(general: Conversation, asks: User, key: str, *, is_cut_off: bool) -> None:
    """Half an answer: settled as after a crash, or still held by an owner that says nothing."""
    from django.utils import timezone

    from sessions_app.models import Turn
    from sessions_app.services.conversations import start_conversation
    from sessions_app.services.recovery import settle_orphan
    from sessions_app.services.transcript import post_message
    from sessions_app.services.turn_lease import claim_turn
    from tests.sessions_app.acting import append_texts
    from tests.sessions_app.conftest import PAGE

    title = key.removeprefix("team:").capitalize()
    started = start_conversation(
        general.workspace, by=asks, key=key, title=title, agent=general.agent, origin=PAGE
    )
    turn = post_message(started, by=asks, text="What is still open?", client_id=key).turn
    assert turn is not None
    append_texts(claim_turn(turn, owner="web-1-4711"), "Three things are open: the rehearsal, ")
    turn.refresh_from_db()
    if is_cut_off:
        settle_orphan(turn, new_owner="", can_continue=False)
    else:
        until = timezone.now() + timedelta(seconds=LEASE_SECONDS)
        Turn.objects.filter(pk=turn.pk).update(lease_until=until)


if __name__ == "__main__":
    django.setup()
    main()
