"""A process to be killed: uses every service that moves a pointer, and says on its output what it was promised."""

from __future__ import annotations

import itertools
import os
import random
import sys

import django


def main(seed: int) -> None:
    django.setup()

    from tests.crash.acts import Acts

    acts, chance = Acts(seed), random.Random(seed)
    tell("ready", "")
    acts.message()
    acts.checkpoint()
    acts.reset()
    for _ in itertools.count():
        name = chance.choice(acts.NAMES)
        tell(name, getattr(acts, name)())


def tell(name: str, what: object) -> None:
    """One write, so that a kill cuts between lines."""
    os.write(1, f"{name} {what}\n".encode())


if __name__ == "__main__":
    main(int(sys.argv[1]))
