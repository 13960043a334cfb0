"""The kept keys: made once, the same for everybody, readable by their owner alone."""

import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from config.kept_keys import ENCRYPTION_KEY, SECRET_KEY, SECRET_KEY_LENGTH, KeptKey

RACERS = 4
# Each waits for the starting gun, so that they all find no key.
RACE = """
import sys
from pathlib import Path
from config.kept_keys import SECRET_KEY
print("ready", flush=True)
sys.stdin.readline()
SECRET_KEY.create(Path(sys.argv[1]))
print(SECRET_KEY.read(Path(sys.argv[1])))
"""


@pytest.mark.parametrize("kind", [SECRET_KEY, ENCRYPTION_KEY], ids=lambda kind: kind.name)
def test_the_first_run_makes_a_key_and_later_runs_use_it(tmp_path: Path, kind: KeptKey) -> None:
    path = tmp_path / "data" / "key"
    key = kind.load_or_create(path)
    assert kind.is_usable(key)
    assert kind.load_or_create(path) == key


def test_a_made_encryption_key_is_one_that_fernet_takes(tmp_path: Path) -> None:
    fernet = Fernet(ENCRYPTION_KEY.load_or_create(tmp_path / "encryption_key"))
    assert fernet.decrypt(fernet.encrypt(b"kelp")) == b"kelp"


def test_two_instances_have_different_keys(tmp_path: Path) -> None:
    assert SECRET_KEY.load_or_create(tmp_path / "one") != SECRET_KEY.load_or_create(tmp_path / "two")


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    SECRET_KEY.load_or_create(tmp_path / "secret_key")
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_a_key_that_is_there_is_never_replaced(tmp_path: Path) -> None:
    key = SECRET_KEY.load_or_create(tmp_path / "secret_key")
    SECRET_KEY.create(tmp_path / "secret_key")
    assert SECRET_KEY.load_or_create(tmp_path / "secret_key") == key


def test_processes_that_race_agree_on_one_key_and_leave_no_draft(tmp_path: Path) -> None:
    command = [sys.executable, "-c", RACE, str(tmp_path / "secret_key")]
    racers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(RACERS)
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()
    keys = {racer.communicate(timeout=30)[0] for racer in racers}
    assert len(keys) == 1
    assert len(keys.pop().strip()) >= SECRET_KEY_LENGTH
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


@pytest.mark.parametrize("kind", [SECRET_KEY, ENCRYPTION_KEY], ids=lambda kind: kind.name)
@pytest.mark.parametrize("content", [b"", b"hunter2", "hünter2".encode(), b"hunter2 " * 5])
def test_a_damaged_key_is_refused_and_never_repeated(tmp_path: Path, kind: KeptKey, content: bytes) -> None:
    path = tmp_path / "secret_key"
    path.write_bytes(content)
    with pytest.raises(ImproperlyConfigured) as refusal:
        kind.load_or_create(path)
    assert str(path) in str(refusal.value)
    assert "nter2" not in str(refusal.value)
    assert path.read_bytes() == content


def test_a_folder_that_cannot_be_made_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    with pytest.raises(ImproperlyConfigured, match=r"^The secret key cannot be written to .*\.$"):
        SECRET_KEY.load_or_create(tmp_path / "data" / "secret_key")
