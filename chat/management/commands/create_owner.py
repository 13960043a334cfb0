"""Makes an owner of a workspace, and prints the link with which they choose their password."""

from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

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
    named = {"uidb36": user_pk_to_url_str(user), "key": default_token_generator.make_token(user)}
    return reverse("account_reset_password_from_key", kwargs=named)
