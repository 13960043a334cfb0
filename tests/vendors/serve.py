"""The vendors' server as a process: `python -m tests.vendors.serve --port 0` prints its address and serves."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys

from tests.vendors.running import start
from tests.vendors.server import Vendor


async def serve(host: str, port: int) -> None:
    runner, port = await start(Vendor(), host, port)
    sys.stdout.write(f"http://{host}:{port}\n")
    sys.stdout.flush()
    try:
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    given = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(given.host, given.port))


if __name__ == "__main__":
    main()
