"""Creates the demo team on a first start, and says each time how to log in."""

import os
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from sessions_app.models import User
from sessions_app.services.demo_team import OPERATOR, OWNER, create_demo_team


class Command(BaseCommand):
    help = "Creates a demo team with one conversation; does nothing where it exists."

    def handle(self, *args: Any, **options: Any) -> None:
        password = password_kept_at(Path(settings.DATA_DIR) / "demo_password")
        create_demo_team(password=password)
        for username, role in ((OWNER, "owns the demo team"), (OPERATOR, "operates the admin at /admin/")):
            self.stdout.write(f"Log in as {username} ({role}): {self.hint(username, password)}")

    def hint(self, username: str, password: str) -> str:
        user = User.objects.filter(username=username).first()
        return (
            f"password {password}"
            if user and user.check_password(password)
            else "with the password you chose"
        )


def password_kept_at(path: Path) -> str:
    """A random password, made once and readable by the server's user alone."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(9))
    return path.read_text(encoding="ascii").strip()
