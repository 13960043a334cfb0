"""Measures the way of a token from an agent to a reader, with real processes and sockets at both ends."""
