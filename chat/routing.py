"""The addresses of the sockets."""

from django.urls import path

from chat.consumers import ConversationConsumer

websocket_urlpatterns = [
    path("ws/", ConversationConsumer.as_asgi()),
]
