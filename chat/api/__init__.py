"""The REST API for scripts: everything the page can do, one resource a file."""
