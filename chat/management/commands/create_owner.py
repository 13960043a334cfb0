"""Makes an owner of a workspace, and prints the link with which they choose their password."""

from typing import Any

from django.contrib.auth.tokens import default_token_generator
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from sessions_app.errors import HoldfastError
from sessions_app.models import User
from sessions_app.services.owners import create_owner


class Command(BaseCommand):
    help = "Makes somebody who owns a workspace, and prints a link that works once and for three days."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--email", default="")
        parser.add_argument("--workspace", default="Team", help="made where there is none of this name")
        parser.add_argument("--address", default="http://localhost:8000", help="where people find this site")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            owner = create_owner(
                options["username"], email=options["email"], workspace_name=options["workspace"]
            )
        except HoldfastError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(
            f"{owner.username} chooses a password at {options['address'].rstrip('/')}{link(owner)}"
        )


def link(user: User) -> str:
    """Good until the password is chosen: the token is made from the one before."""
    named = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("set_password", args=[named, default_token_generator.make_token(user)])
