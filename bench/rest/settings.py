"""The site's own settings, with the bare views beside its addresses."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "bench.rest.urls"
