"""Signing in: who is kept out for a while, and what the audit log is told."""
