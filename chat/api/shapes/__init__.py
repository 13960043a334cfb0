"""How rows look from outside. Shapes read and write JSON, and never save."""
