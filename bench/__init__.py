"""Measures what the design promises, and says beside each figure what was promised."""
