from tests.chat.recovery.cast import alice, conversation, lost, olga, operator, sam

__all__ = ["alice", "conversation", "lost", "olga", "operator", "sam"]
