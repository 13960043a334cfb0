"""Serves Holdfast until it is asked to stop."""

import asyncio
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import daphne.server
from channels.routing import get_default_application
from daphne.server import Server
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http.request import validate_host

from chat import serving
from chat.bodies import BoundedFactory
from chat.environment_agents import add_environment_agents
from chat.high_water import keep_mark
from chat.index_upkeep import keep_index
from chat.listening import CannotListen, address, endpoint, listen
from chat.serving import Drain
from chat.turns.runtime import Runtime
from chat.wire import FRAME_BYTES
from sessions_app.errors import StartupRefused
from sessions_app.services.startup import check_startup

CLOSE_SECONDS = 5
# When everybody comes back at once the last wait this long: cut off earlier, they would come again for ever.
HANDSHAKE_SECONDS = 60
# The journal's thread must not wait for the loop's: Python's usual 5 ms would be most of a token's way.
SWITCH_SECONDS = 0.0005


class Command(BaseCommand):
    help = "Serves the pages and sockets of Holdfast, and runs its agents."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        parser.add_argument("--port", type=int, default=8000, help="the port; 0 takes a free one")
        parser.add_argument(
            "--no-agents", action="store_true", help="serve only; manage.py run_agents runs the agents"
        )

    def handle(self, *args: Any, host: str, port: int, no_agents: bool, **options: Any) -> None:
        refuse_without_static_files()
        try:
            check_startup()
            add_environment_agents(tell=self.stderr.write)
            listener = listen(host, port)
        except (StartupRefused, CannotListen) as refusal:
            raise CommandError(str(refusal)) from refusal
        runtime = Runtime(runs_agents=not no_agents)
        runtime.recover_first()
        with listener:
            self.serve(listener, address(host, listener), runtime)

    def serve(self, listener: socket.socket, url: str, runtime: Runtime) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        daphne.server.HTTPFactory = BoundedFactory  # it takes none from its caller
        server: Server = Server(
            get_default_application(),
            endpoints=[endpoint(listener)],
            signal_handlers=False,
            application_close_timeout=CLOSE_SECONDS,
            websocket_handshake_timeout=HANDSHAKE_SECONDS,
            websocket_connect_timeout=HANDSHAKE_SECONDS,
            websocket_max_message_size=FRAME_BYTES,
            websocket_max_frame_size=FRAME_BYTES,
            ready_callable=lambda: self.begin(server, runtime, url),
            server_name="holdfast",
        )
        stopping = threading.Event()
        keep_mark(stopping)
        keep_index(stopping)
        try:
            server.run()
        finally:
            stopping.set()
        if server.abort_start:
            raise CommandError(f"The server could not listen at {url}; nothing was served.")

    def begin(self, server: Server, runtime: Runtime, url: str) -> None:
        """Called when the loop is set and before it runs."""
        loop = asyncio.get_event_loop()
        serving.start(runtime, loop)
        drain = Drain(server, runtime, loop)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, drain.begin)
        self.announce(url)

    def announce(self, url: str) -> None:
        self.stdout.write(f"Holdfast is at {url}")
        name = urlsplit(url).netloc.rpartition(":")[0]
        if not validate_host(name, settings.ALLOWED_HOSTS):
            self.stderr.write(f"HOLDFAST_ALLOWED_HOSTS does not list {name} yet.")
        self.stdout.flush()


def refuse_without_static_files() -> None:
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if not settings.DEBUG and not manifest.exists():
        raise CommandError(
            "The style sheets and scripts have not been collected yet; "
            "start with `make run`, or run `python manage.py collectstatic` once."
        )
