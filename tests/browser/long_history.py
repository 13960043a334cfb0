"""Run beside a site's server: writes a conversation of so many messages, and prints its id."""

from __future__ import annotations

import os
import sys

import django


def main(messages: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from bench.transcripts import Cast, conversation_with
    from sessions_app.models import Agent, User, Workspace

    team = Workspace.objects.get(slug="demo")
    people = Cast(team, User.objects.get(username="alice"), Agent.objects.get(workspace=team, handle="demo"))
    sys.stdout.write(str(conversation_with(people, exchanges=messages // 2, texts=1).public_id))


if __name__ == "__main__":
    main(int(sys.argv[1]))
