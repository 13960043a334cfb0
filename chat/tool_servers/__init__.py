"""Asks tool servers over MCP which tools they have, and to run one; knows nothing of who wants it."""
