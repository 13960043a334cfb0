"""The admin's Django app, with our own site in place of the usual one."""

from django.contrib.admin import apps


class AdminConfig(apps.AdminConfig):
    default_site = "chat.recovery.site.OperatorsSite"
