#!/usr/bin/env python3
"""The door for operators: runs one management command."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError


def main() -> None:
    """Runs the command; a wrong setting or a database out of reach ends it with one sentence, unless the
    traceback is asked for."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except OperationalError as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"The database cannot be used: {str(error).strip().splitlines()[0]}.")


if __name__ == "__main__":
    main()
