"""What people set about themselves."""

from __future__ import annotations

from sessions_app.canonical import clean_text
from sessions_app.errors import Invalid
from sessions_app.models import User
from sessions_app.services.transactions import one_transaction

LONGEST_NAME = 100


@one_transaction
def rename_person(user: User, *, name: str) -> User:
    """Afterwards everybody sees this name from now on; what was said under the old one keeps it. Without a name
    the username is shown."""
    name = " ".join(clean_text(name).split())
    if len(name) > LONGEST_NAME:
        raise Invalid(f"A name has at most {LONGEST_NAME} characters; nothing was changed.")
    user.display_name = name
    user.save(update_fields=["display_name"])
    return user
