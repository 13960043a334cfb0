"""Tool servers for tests: a real one, made with the official SDK in a process of its own, and a hostile one."""
