"""The Django app of everything live: pages, sockets and agents."""

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import register

from chat.checks import check_allowed_hosts
from chat.network import vetting
from chat.network.allow_list import AllowList


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = "Chat"

    def ready(self) -> None:
        from chat.accounts import record, record_changes  # they import models, which are ready from here on

        record.listen()
        record_changes.listen()
        register(check_allowed_hosts)
        vetting.install(AllowList.of(settings.ALLOW_PRIVATE_PROVIDERS))
