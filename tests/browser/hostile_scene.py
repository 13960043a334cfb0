"""Writes the hostile corpus into everything that has a text, through the services; prints where it can be read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import django

from tests.browser.hostile_corpus import PAYLOADS

SLUG = "hostile"
LAST_WORDS = "the end of it"
ALL = "\n\n".join([*PAYLOADS, LAST_WORDS])


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from sessions_app.services.transactions import one_transaction

    os.write(1, json.dumps(one_transaction(make_scene)()).encode())


def joined(length: int) -> Iterator[str]:
    """The whole corpus in texts that are not longer than this."""
    text = ""
    for payload in PAYLOADS:
        if text and len(text) + 1 + len(payload) > length:
            yield text
            text = ""
        text = f"{text} {payload}".strip()[:length]
    yield text


def make_scene() -> dict[str, Any]:
    """Names of a team, its people, agents and tokens, titles, and a conversation in which all of it is said."""
    from django.contrib.auth.models import Permission

    from sessions_app.models import Membership, Role, User, Workspace
    from tests.crash.populate import login_of

    hazel = User.objects.create_user("hazel", display_name=PAYLOADS[0], is_staff=True)
    hazel.user_permissions.add(*Permission.objects.filter(content_type__app_label="sessions_app"))
    for number, name in enumerate(joined(100)):
        team = Workspace.objects.create(name=name, slug=SLUG if number == 0 else f"{SLUG}-{number}")
        Membership.objects.create(workspace=team, user=hazel, role=Role.OWNER)
    team = Workspace.objects.get(slug=SLUG)
    for number, payload in enumerate(PAYLOADS):
        person = User.objects.create_user(f"{number} {payload}"[:150], display_name=payload)
        Membership.objects.create(workspace=team, user=person, role=Role.MEMBER)
    return {**tell_everything(team, hazel), "login": login_of(hazel)}


def tell_everything(team: Any, hazel: Any) -> dict[str, str]:
    from chat.tokens import create_token
    from sessions_app.models import Agent
    from sessions_app.services.checkpoints import take_checkpoint
    from sessions_app.services.conversations import start_conversation
    from sessions_app.services.deletion import delete_conversation
    from sessions_app.services.invitations import invite
    from sessions_app.services.personal import keep_draft

    agents = [
        Agent.objects.create(workspace=team, name=name, handle=f"h{number}", description=ALL, provider="demo")
        for number, name in enumerate(joined(60))
    ]
    for title in joined(200):
        start_conversation(team, by=hazel, title=title, agent=agents[0], origin=origin())
        delete_conversation(
            start_conversation(team, by=hazel, title=title), by=hazel, origin=origin(), reason=title
        )
    for name in joined(100):
        create_token(hazel, name=name)
    invite(team, by=hazel, email='"<svg/onload=hacked=1>"@example.org', origin=origin())
    told = start_conversation(team, by=hazel, title=PAYLOADS[1], agent=agents[0], origin=origin())
    archived = told.active_session
    say_everything(told, hazel)
    reset_for_all_reasons(told, hazel)
    say_everything(told, hazel)
    for name in joined(200):
        take_checkpoint(told, by=hazel, name=name)
    keep_draft(told, by=hazel, text=ALL)
    return {"conversation": str(told.public_id), "archived": str(archived.public_id)}


def say_everything(conversation: Any, hazel: Any) -> None:
    """Said, thought, called, answered, failed, renamed and summed up."""
    from sessions_app.canonical import canonical_json
    from sessions_app.models import TurnState
    from sessions_app.services.compaction import record_compaction
    from sessions_app.services.conversations import change_settings, rename_conversation
    from sessions_app.services.ending import finish_turn
    from sessions_app.services.journal import Append, append_batch
    from sessions_app.services.transcript import post_message
    from sessions_app.services.turn_lease import claim_turn

    turn = post_message(conversation, by=hazel, text=ALL, client_id=os.urandom(8).hex()).turn
    assert turn is not None
    lease = claim_turn(turn, owner="hostile")
    said = [("reasoning", {"text": ALL}), *calls(), ("text", {"text": ALL})]
    append_batch([Append(lease, [(kind, canonical_json(payload)) for kind, payload in said])])
    finish_turn(turn, TurnState.FAILED, epoch=lease.epoch, reason=ALL)
    for title in joined(200):
        rename_conversation(conversation, by=hazel, title=title)
    change_settings(conversation, by=hazel, system_prompt=ALL)
    conversation.refresh_from_db()
    record_compaction(conversation.active_session, summary=ALL, by=hazel, reason=ALL)


def calls() -> Iterator[tuple[str, dict[str, Any]]]:
    for number, payload in enumerate(PAYLOADS):
        call = {"id": f"{number} {payload}", "name": payload, "arguments": json.dumps({payload: payload})}
        status = "error" if number % 2 else "ok"
        yield "tool_call", call
        yield "tool_result", {"id": call["id"], "status": status, "output": payload, "duration_ms": 1}


def reset_for_all_reasons(conversation: Any, hazel: Any) -> None:
    from sessions_app.services.reset import reset_conversation

    for reason in joined(500):
        conversation.refresh_from_db()
        reset_conversation(
            conversation,
            by=hazel,
            expected_session=conversation.active_session,
            origin=origin(),
            reason=reason,
        )
    conversation.refresh_from_db()


def origin() -> Any:
    """From a browser that gives itself a hostile name."""
    from sessions_app.models import Trigger
    from sessions_app.services.audit import Origin

    return Origin(Trigger.PAGE, address="192.0.2.1", client=PAYLOADS[0][:200])


if __name__ == "__main__":
    main()
