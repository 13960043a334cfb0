"""A conversation in which everything has happened that an export must carry, and all of it ended."""

from __future__ import annotations

from sessions_app.models import Agent, Conversation, Message, Turn, TurnState, User, Workspace
from sessions_app.services.audit import Origin
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.compaction import record_compaction
from sessions_app.services.conversations import (
    archive_conversation,
    change_settings,
    rename_conversation,
    start_conversation,
    unarchive_conversation,
)
from sessions_app.services.deletion import delete_conversation
from sessions_app.services.ending import finish_turn, stop_turn
from sessions_app.services.fork import edit_and_resend, fork_before
from sessions_app.services.requeue import continue_reply, regenerate_reply
from sessions_app.services.reset import reset_conversation
from sessions_app.services.restore import restore_checkpoint, restore_session, undo_move
from sessions_app.services.sharing import change_openness, grant_access
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import claim_turn, record_context
from sessions_app.services.withdraw import withdraw_turn
from tests.sessions_app.acting import OWNER, answer_turn, append_events, append_texts
from tests.sessions_app.conftest import PAGE

AWKWARD = (
    "NUL \x00 and half a character \ud800 here",
    "\u2028 ends \u2029 lines \x0b \x0c \x85 \r\n in some places \r and not in others",
    "\u202eright to left\u202c <script>alert(1)</script> ![x](https://example.org/x.png) & \\u0000",
    "e" + "\u0301" * 1000,
    "x" * 60_000,
    ">" * 500 + " deep \U0001f600",
)


class Scene:
    """alice and mia in one conversation; after `play` nothing in it is live."""

    def __init__(self, team: Workspace, alice: User, mia: User, echo: Agent, origin: Origin = PAGE) -> None:
        self.team, self.alice, self.mia, self.origin = team, alice, mia, origin
        self.conversation = start_conversation(
            team, by=alice, key="team:general", title="General", agent=echo, origin=origin
        )
        self._count = 0

    def play(self) -> Conversation:
        self._answers()
        self._session_control()
        self._settings()
        for text in AWKWARD:
            self.say(text, by=self.mia)
            self.answer(text)
        return self.fresh()

    def delete(self) -> Conversation:
        delete_conversation(self.fresh(), by=self.alice, origin=self.origin, reason="done with it")
        return self.fresh()

    def fresh(self) -> Conversation:
        return Conversation.objects.select_related("active_session").get(pk=self.conversation.pk)

    def say(self, text: str, *, by: User | None = None) -> Message:
        self._count += 1
        posted = post_message(self.fresh(), by=by or self.alice, text=text, client_id=f"c{self._count}")
        return posted.message

    def turn(self) -> Turn:
        return Turn.objects.live().get(session__conversation=self.conversation)

    def answer(self, *texts: str) -> Message:
        return answer_turn(self.turn(), *texts)

    def _answers(self) -> None:
        self.say("one")
        reply = self.answer("first ", "answer")
        regenerate_reply(reply, by=self.alice)
        self.answer("second answer")
        self.say("use a tool")
        self._tool_answer()
        self.say("break off")
        turn = self.turn()
        lease = claim_turn(turn, owner=OWNER)
        append_texts(lease, "half of ")
        stop_turn(Turn.objects.get(pk=turn.pk), by=self.mia)
        continue_reply(Message.objects.get(pk=lease.message_id), by=self.alice)
        self.answer("it")
        self.say("fail")
        turn = self.turn()
        lease = claim_turn(turn, owner=OWNER)
        finish_turn(turn, TurnState.FAILED, epoch=lease.epoch, reason="The provider said no.")
        self.say("never mind")
        withdraw_turn(self.turn(), by=self.alice)
        record_compaction(self.fresh().active_session, summary="so far", by=None)
        self.say("go on")
        self.answer("after the summary")

    def _tool_answer(self) -> None:
        lease = claim_turn(self.turn(), owner=OWNER)
        append_events(
            lease,
            ("reasoning", {"text": "Let me look"}),
            ("reasoning", {"text": ".", "signature": "signed"}),
            ("tool_call", {"id": "c1", "name": "clock", "arguments": '{"zone": "UTC"}'}),
            ("tool_result", {"id": "c1", "status": "ok", "output": "noon", "duration_ms": 3}),
            ("text", {"text": "It is noon."}),
        )
        record_context(lease, digest="ab" * 32)
        usage = {"input_tokens": 5, "output_tokens": 7}
        finish_turn(self.turn(), TurnState.COMPLETED, epoch=lease.epoch, usage=usage)

    def _session_control(self) -> None:
        alice, origin = self.alice, self.origin
        halfway = take_checkpoint(self.fresh(), by=alice, name="half | way")
        reset_conversation(
            self.fresh(),
            by=alice,
            expected_session=self.fresh().active_session,
            origin=origin,
            reason="begin anew",
            idempotency_key="reset-1",
        )
        self.say("in session two")
        self.answer("two it is")
        restore_checkpoint(halfway, by=alice, origin=origin)
        self.say("in the fork", by=self.mia)
        asked = self.say("to be edited")
        for turn in Turn.objects.live().filter(session__conversation=self.conversation).order_by("pk"):
            answer_turn(turn, "in the fork too")
        edited = edit_and_resend(asked, by=alice, text="edited", client_id="edit-1", origin=origin)
        self.answer("to the edited")
        fork_before(edited.message, by=self.mia, origin=origin, reason="another way")
        undo_move(self.fresh(), entry=self.fresh().active_entry, by=alice, origin=origin)
        first = self.fresh().sessions.get(number=1)
        restore_session(first, by=alice, origin=origin, reason="the old one")
        self.say("back in session one")
        self.answer("welcome back")

    def _settings(self) -> None:
        rename_conversation(self.fresh(), by=self.mia, title="<b>Renamed</b> # `and` | more")
        change_openness(self.fresh(), by=self.alice, openness="restricted")
        grant_access(self.fresh(), by=self.alice, to=self.mia, level="control")
        change_settings(self.fresh(), by=self.alice, system_prompt="Be brief.")
        archive_conversation(self.fresh(), by=self.alice, origin=self.origin)
        unarchive_conversation(self.fresh(), by=self.alice, origin=self.origin)
