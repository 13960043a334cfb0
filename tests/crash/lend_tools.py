"""Lends the tools of the server at an address to a site's agent, and prints what models are told of them.

`python -m tests.crash.lend_tools ADDRESS [trusted]`
"""

from __future__ import annotations

import asyncio
import json
import os
import sys

import django


def main(address: str, *words: str) -> None:
    django.setup()

    from chat.catalogue import CATALOGUE
    from chat.looking import look_at
    from chat.network import vetting
    from chat.network.allow_list import AllowList
    from sessions_app.models import Agent, User
    from sessions_app.services.agents import change_agent
    from sessions_app.services.audit import COMMAND
    from sessions_app.services.tool_servers import create_tool_server

    vetting.install(AllowList.of(["localhost"]))
    agent, owner = Agent.objects.select_related("workspace").get(), User.objects.get(username="person0")
    server = create_tool_server(
        agent.workspace, by=owner, catalogue=CATALOGUE, name="kelp", address=address, trusts_hints=bool(words)
    )
    look = asyncio.run(look_at(server, by=owner, origin=COMMAND))
    change_agent(agent, by=owner, catalogue=CATALOGUE, tool_servers=["kelp"])
    os.write(1, json.dumps(look.server.tools).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
