"""Makes a token for a person of a site, and prints it."""

from __future__ import annotations

import os
import sys

import django


def main(username: str, scope: str) -> None:
    django.setup()

    from chat.models import Scope
    from chat.tokens import create_token
    from sessions_app.models import User

    _, token = create_token(User.objects.get(username=username), name="script", scope=Scope(scope))
    os.write(1, token.encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
