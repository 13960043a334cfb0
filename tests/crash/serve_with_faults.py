"""`manage.py` with faults that the product knows nothing of: python -m tests.crash.serve_with_faults serve …

CRASH_FAULTS names them, as JSON: {"kill_after_commit": 3} kills the process when it is there for the third time.
"""

from __future__ import annotations

import json
import os
import sys

import django
from django.core.management import execute_from_command_line


def main() -> None:
    django.setup()

    from tests.crash.faults import FAULTS

    for name, value in json.loads(os.environ["CRASH_FAULTS"]).items():
        FAULTS[name](value)
    execute_from_command_line(["manage.py", *sys.argv[1:]])


if __name__ == "__main__":
    main()
