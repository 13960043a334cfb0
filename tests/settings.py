"""The site's own settings, in a folder that the run makes and removes; each worker has its own."""

import os
import tempfile
from pathlib import Path

# What the developer's shell sets for a site of theirs must not reach the tests.
for name in [name for name in os.environ if name.startswith(("HOLDFAST_", "OPENAI_", "ANTHROPIC_"))]:
    if name != "HOLDFAST_TEST_DIR":
        del os.environ[name]

if "HOLDFAST_TEST_DIR" not in os.environ:
    os.environ["HOLDFAST_TEST_DIR"] = tempfile.mkdtemp(prefix="holdfast-tests-")
TEST_DIR = Path(os.environ["HOLDFAST_TEST_DIR"])
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "main")
os.environ["HOLDFAST_DATA_DIR"] = str(TEST_DIR / WORKER)
# The vendors that tests ask are servers of their own, on this machine.
os.environ["HOLDFAST_ALLOW_PRIVATE_PROVIDERS"] = "localhost"

from config.settings import *  # noqa: E402, F403
from config.settings import DATA_DIR, DATABASES, STORAGES  # noqa: E402

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, as in production: in memory SQLite has no WAL, no busy time-out and one connection.
    DATA_DIR.mkdir(parents=True, exist_ok=True)
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
