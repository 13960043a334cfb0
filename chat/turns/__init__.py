"""Runs agents: claims turns, drives providers and tools, and journals everything before anybody sees it."""
