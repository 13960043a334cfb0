"""The cast of the pages."""

import pytest
from django.test import Client

from sessions_app.models import User

PASSWORD = "a kelp forest at dusk"


@pytest.fixture
def password() -> str:
    return PASSWORD


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("alice", password=PASSWORD)


@pytest.fixture
def visitor() -> Client:
    """Somebody who has not logged in, checked for forged requests like any other."""
    return Client(enforce_csrf_checks=True)
