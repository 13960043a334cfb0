"""Reads from the environment how people come in, and refuses nonsense with a sentence that names the variable."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

from config import env

DOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+")
PROVIDER_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")
THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}
USUAL_PORT = {"starttls": 587, "tls": 465, "none": 25}


@dataclass(frozen=True)
class SignUpRule:
    kind: str  # invitation, open or domains
    domains: frozenset[str] = frozenset()


@dataclass(frozen=True)
class MailServer:
    """Without a host mail is printed where the server runs."""

    sender: str
    host: str = ""
    port: int = 25
    security: str = "none"
    user: str = ""
    password: str = ""


@dataclass(frozen=True)
class OpenidProvider:
    id: str
    name: str
    client_id: str
    client_secret: str
    server_url: str


def sign_up_rule(value: str, *, name: str) -> SignUpRule:
    kind, colon, listed = value.lower().partition(":")
    domains = frozenset(domain.strip() for domain in listed.split(",") if domain.strip())
    if kind in ("invitation", "open") and not colon:
        return SignUpRule(kind)
    if kind == "domains" and domains and all(DOMAIN.fullmatch(domain) for domain in domains):
        return SignUpRule(kind, domains)
    raise ImproperlyConfigured(
        f"{name} must be invitation, open, or domains: with the domains of e-mail addresses, such as "
        f"domains:example.org,example.com, not '{value}'."
    )


def mail_server() -> MailServer:
    sender = env.text("HOLDFAST_EMAIL_FROM", "holdfast@localhost")
    if not _is_address(sender):
        raise ImproperlyConfigured(f"HOLDFAST_EMAIL_FROM must be an e-mail address, not '{sender}'.")
    hosts = env.hosts("HOLDFAST_EMAIL_HOST", default=[])
    user, password = env.text("HOLDFAST_EMAIL_USER"), env.text("HOLDFAST_EMAIL_PASSWORD")
    if bool(user) != bool(password):
        raise ImproperlyConfigured("HOLDFAST_EMAIL_USER and HOLDFAST_EMAIL_PASSWORD need each other.")
    if len(hosts) > 1 or (user and not hosts):
        raise ImproperlyConfigured("HOLDFAST_EMAIL_HOST must name the one server that sends mail.")
    security = env.choice("HOLDFAST_EMAIL_SECURITY", list(USUAL_PORT), default="starttls")
    port = env.number("HOLDFAST_EMAIL_PORT", default=USUAL_PORT[security], minimum=1, maximum=65535)
    host = next(iter(hosts), "")
    return MailServer(sender, host=host, port=port, security=security, user=user, password=password)


def openid_provider() -> OpenidProvider | None:
    """None where nothing of it is set; a part of it alone is refused."""
    told = {
        "HOLDFAST_OIDC_ID": env.text("HOLDFAST_OIDC_ID"),
        "HOLDFAST_OIDC_NAME": env.text("HOLDFAST_OIDC_NAME"),
        "HOLDFAST_OIDC_CLIENT_ID": env.text("HOLDFAST_OIDC_CLIENT_ID"),
        "HOLDFAST_OIDC_CLIENT_SECRET": env.text("HOLDFAST_OIDC_CLIENT_SECRET"),
        "HOLDFAST_OIDC_SERVER_URL": env.text("HOLDFAST_OIDC_SERVER_URL"),
    }
    if not any(told.values()):
        return None
    if missing := [name for name, value in told.items() if not value]:
        raise ImproperlyConfigured(f"{', '.join(missing)} must be set too, for people to sign in elsewhere.")
    provider = OpenidProvider(*told.values())
    if not PROVIDER_ID.fullmatch(provider.id):
        raise ImproperlyConfigured(
            f"HOLDFAST_OIDC_ID must be a short word of small letters, digits and hyphens, not '{provider.id}'."
        )
    if not _is_safe(provider.server_url):
        raise ImproperlyConfigured(
            "HOLDFAST_OIDC_SERVER_URL must be an address that begins with https://, without a user, a query or a "
            "fragment; http:// is good for this machine alone."
        )
    return provider


def _is_address(text: str) -> bool:
    if text.endswith("@localhost"):
        text += ".example"
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


def _is_safe(address: str) -> bool:
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if not host or parts.username or parts.query or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and host in THIS_MACHINE)
