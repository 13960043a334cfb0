"""The link of an invitation, and the mail that carries it: plain text, in which a name is nothing but a name."""

from __future__ import annotations

import re
import smtplib

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.urls import reverse

from sessions_app.models import Invitation

LONGEST_NAME = 60
# Mail programs make links of what looks like an address, and a name may be anything: its dots are others.
LINK_PARTS = re.compile(r"\.(?=\w)|://|@")
HARMLESS = {".": "\u2024", "://": " ", "@": " at "}
TEXT = """\
{who} invites you to the workspace “{workspace}” on Holdfast, as {role}.

Open this link to join. It works once, for you, until {until} UTC:

{link}

If you do not know what this is about, you need not do anything.
"""

log = structlog.get_logger(__name__)


def invitation_path(token: str) -> str:
    return reverse("invitation", args=[token])


def invitation_link(request: HttpRequest, token: str) -> str:
    return request.build_absolute_uri(invitation_path(token))


def send_invitation(invitation: Invitation, link: str) -> bool:
    """Whether the mail was handed over; a mail server that is away breaks nothing, and the log tells of it."""
    workspace, who = _harmless(invitation.workspace.name), _maker(invitation)
    until = f"{invitation.expires_at:%d %B %Y, %H:%M}"
    told = TEXT.format(who=who, workspace=workspace, role=invitation.role, until=until, link=link)
    subject = f"{who} invites you to {workspace}"
    try:
        EmailMessage(subject, told, settings.DEFAULT_FROM_EMAIL, [invitation.email]).send()
    except (smtplib.SMTPException, OSError) as error:
        log.error("mail_not_sent", mail="invitation", error=str(error))
        return False
    return True


def _maker(invitation: Invitation) -> str:
    return _harmless(invitation.invited_by.name) if invitation.invited_by else "The operator"


def _harmless(name: str) -> str:
    """On one line, short, and no link."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    return LINK_PARTS.sub(lambda part: HARMLESS[part[0]], plain)[:LONGEST_NAME]
