"""The addresses of the chat: pages for people, the API for scripts."""

from django.urls import include, path

urlpatterns = [
    path("", include("chat.api.urls")),
    path("", include("chat.pages.urls")),
]
