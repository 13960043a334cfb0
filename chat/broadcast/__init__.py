"""Carries what is committed to whoever follows it: inside the process directly, to other processes by nudges."""
