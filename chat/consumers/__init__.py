"""The socket: one consumer, thin, over the services and the hub."""

from chat.consumers.conversation import ConversationConsumer

__all__ = ["ConversationConsumer"]
