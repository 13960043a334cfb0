"""A request to a vendor shows no secret of its own."""

import pytest

from chat.events import Prompt
from chat.providers.base import ProviderSettings
from chat.providers.openai_messages import completion_body
from chat.providers.question import endpoint, make_question

SECRET = "canary-0123456789"


def test_neither_repr_nor_host_shows_a_secret() -> None:
    settings = ProviderSettings(model="m", address=f"http://vendor.example:8080/v1?key={SECRET}", key=SECRET)
    url = endpoint(settings.address, "/chat/completions")
    question = make_question(settings, url, {"said": SECRET}, {"Authorization": f"Bearer {SECRET}"})
    assert SECRET not in f"{question} {question!r} {question.host}"
    assert question.host == "vendor.example:8080"


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com/v1/chat"),
        (" http://localhost:11434/v1/ ", "http://localhost:11434/v1/chat"),
        ("https://vendor.example/v1/chat", "https://vendor.example/v1/chat"),
        ("https://vendor.example/d/m?api-version=1", "https://vendor.example/d/m/chat?api-version=1"),
        ("http://[::1]:8080", "http://[::1]:8080/chat"),
    ],
)
def test_the_path_is_put_at_the_end_of_the_address(address: str, url: str) -> None:
    assert str(endpoint(address, "/chat")) == url


@pytest.mark.parametrize(
    ("host", "name"), [("api.openai.com", "max_completion_tokens"), ("vendor", "max_tokens")]
)
def test_the_limit_has_the_name_its_server_knows(host: str, name: str) -> None:
    assert completion_body(Prompt(()), ProviderSettings(most_output_tokens=5), host)[name] == 5
