"""The admin: operators look at everything and bring it back; what history is made of cannot be changed here."""

from chat.admin import accounts, agents, audit_log, checkpoints, people, records, sessions, tool_servers

__all__ = ["accounts", "agents", "audit_log", "checkpoints", "people", "records", "sessions", "tool_servers"]
