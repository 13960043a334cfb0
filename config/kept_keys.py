"""Owns the keys that a first run makes and every later run uses."""

import base64
import binascii
import os
import secrets
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

SECRET_KEY_BYTES = 64
SECRET_KEY_LENGTH = 50
ENCRYPTION_KEY_BYTES = 32


@dataclass(frozen=True)
class KeptKey:
    """A kind of key: how one is made, which one can be used, and what a new one costs."""

    name: str
    make: Callable[[], str]
    is_usable: Callable[[str], bool]
    a_new_one: str

    def load_or_create(self, path: Path) -> str:
        """Gives the key kept at `path`, made first where there is none; every process gets the same one."""
        if not path.exists():
            self.create(path)
        key = self.read(path)
        if not self.is_usable(key):
            raise ImproperlyConfigured(
                f"{path} holds no usable {self.name}; put the old one back, or delete the file "
                f"to get a new one, which {self.a_new_one}."
            )
        return key

    def create(self, path: Path) -> None:
        """Writes a new key to a file of its own and links it into place, so nobody ever reads half a key."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # mode 0600
        except OSError as error:
            raise ImproperlyConfigured(
                f"The {self.name} cannot be written to {path}: {error.strerror}."
            ) from error
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(self.make())
                file.flush()
                os.fsync(file.fileno())
            link_unless_there(draft, path)
        finally:
            os.unlink(draft)

    def read(self, path: Path) -> str:
        try:
            return path.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ImproperlyConfigured(f"The {self.name} in {path} cannot be read: {error}.") from error


def link_unless_there(draft: str, path: Path) -> None:
    """Unlike a rename, a link never replaces: the first process wins, the others read its key."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return


def make_encryption_key() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(ENCRYPTION_KEY_BYTES)).decode("ascii")


def is_encryption_key(key: str) -> bool:
    """Whether Fernet can use it: 32 bytes, written in the alphabet of addresses."""
    try:
        return len(base64.b64decode(key, altchars=b"-_", validate=True)) == ENCRYPTION_KEY_BYTES
    except (binascii.Error, ValueError):
        return False


SECRET_KEY = KeptKey(
    name="secret key",
    make=lambda: secrets.token_urlsafe(SECRET_KEY_BYTES),
    is_usable=lambda key: len(key) >= SECRET_KEY_LENGTH,
    a_new_one="logs everybody out",
)
ENCRYPTION_KEY = KeptKey(
    name="encryption key",
    make=make_encryption_key,
    is_usable=is_encryption_key,
    a_new_one="makes the agents' keys unreadable, so that each has to be entered again",
)
