"""Django's name for the durable state."""

from django.apps import AppConfig


class SessionsAppConfig(AppConfig):
    name = "sessions_app"
    verbose_name = "Holdfast"
    default_auto_field = "django.db.models.BigAutoField"
