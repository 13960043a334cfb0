"""How people come in, by the environment: what makes sense is read, what does not is refused by name."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.account_rules import (
    MailServer,
    OpenidProvider,
    SignUpRule,
    mail_server,
    openid_provider,
    sign_up_rule,
)

GOOD = {
    "ID": "kelp",
    "NAME": "Kelp",
    "CLIENT_ID": "holdfast",
    "CLIENT_SECRET": "between us",
    "SERVER_URL": "https://id.example.org",
}


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("invitation", SignUpRule("invitation")),
        ("Open", SignUpRule("open")),
        (
            "domains:Example.org, example.net",
            SignUpRule("domains", frozenset({"example.org", "example.net"})),
        ),
    ],
)
def test_who_may_make_an_account(value: str, rule: SignUpRule) -> None:
    assert sign_up_rule(value, name="X") == rule


@pytest.mark.parametrize(
    "value",
    [
        "everybody",
        "open:example.org",
        "domains",
        "domains:",
        "domains:example",
        "domains:@example.org",
        "domains:*.org",
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="HOLDFAST_SIGN_UP must be invitation, open, or domains:"):
        sign_up_rule(value, name="HOLDFAST_SIGN_UP")


def test_mail_is_printed_where_no_server_is_named() -> None:
    assert mail_server() == MailServer("holdfast@localhost", port=587, security="starttls")


def test_a_mail_server_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("HOST", "mail.example.org"),
        ("SECURITY", "TLS"),
        ("USER", "holdfast"),
        ("PASSWORD", "secret"),
        ("FROM", "chat@example.org"),
    ):
        monkeypatch.setenv(f"HOLDFAST_EMAIL_{name}", value)
    expected = MailServer("chat@example.org", "mail.example.org", 465, "tls", "holdfast", "secret")
    assert mail_server() == expected


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("FROM", "Chat <chat@example.org>", "HOLDFAST_EMAIL_FROM must be an e-mail address"),
        ("FROM", "nonsense", "HOLDFAST_EMAIL_FROM must be an e-mail address"),
        ("HOST", "smtp://mail.example.org", "HOLDFAST_EMAIL_HOST takes host names"),
        ("HOST", "a.example,b.example", "HOLDFAST_EMAIL_HOST must name the one server"),
        ("PORT", "0", "HOLDFAST_EMAIL_PORT must be a whole number from 1"),
        ("SECURITY", "ssl", "HOLDFAST_EMAIL_SECURITY must be one of starttls, tls, none"),
        ("USER", "holdfast", "HOLDFAST_EMAIL_USER and HOLDFAST_EMAIL_PASSWORD need each other"),
        ("PASSWORD", "s3cret", "HOLDFAST_EMAIL_USER and HOLDFAST_EMAIL_PASSWORD need each other"),
    ],
)
def test_a_mail_server_that_makes_no_sense_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(f"HOLDFAST_EMAIL_{name}", value)
    with pytest.raises(ImproperlyConfigured, match=sentence) as refused:
        mail_server()
    assert "s3cret" not in str(refused.value)


def set_provider(monkeypatch: pytest.MonkeyPatch, **changed: str) -> None:
    for name, value in (GOOD | changed).items():
        monkeypatch.setenv(f"HOLDFAST_OIDC_{name}", value)


def test_a_provider_is_read_or_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert openid_provider() is None
    set_provider(monkeypatch)
    assert openid_provider() == OpenidProvider(*GOOD.values())


def test_half_a_provider_is_refused_by_the_names_that_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    set_provider(monkeypatch, NAME="", CLIENT_SECRET="")
    with pytest.raises(
        ImproperlyConfigured, match="HOLDFAST_OIDC_NAME, HOLDFAST_OIDC_CLIENT_SECRET must be set too"
    ):
        openid_provider()


@pytest.mark.parametrize("value", ["Kelp", "a b", "../x", "-x", "x" * 60])
def test_a_provider_has_a_word_for_its_address(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    set_provider(monkeypatch, ID=value)
    with pytest.raises(ImproperlyConfigured, match="HOLDFAST_OIDC_ID must be a short word"):
        openid_provider()


@pytest.mark.parametrize(
    "value",
    [
        "http://id.example.org",
        "id.example.org",
        "https://user@id.example.org",
        "https://",
        "ftp://id.example.org",
        "https://id.example.org?x=1",
        "https://[::1",
    ],
)
def test_a_provider_is_asked_by_https_alone(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    set_provider(monkeypatch, SERVER_URL=value)
    with pytest.raises(
        ImproperlyConfigured, match="HOLDFAST_OIDC_SERVER_URL must be an address that begins with https://"
    ):
        openid_provider()


@pytest.mark.parametrize("value", ["http://localhost:9000", "http://127.0.0.1:9000", "http://[::1]:9000"])
def test_a_provider_on_this_machine_needs_none(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    set_provider(monkeypatch, SERVER_URL=value)
    assert openid_provider() is not None
