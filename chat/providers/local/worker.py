"""The process that runs the model: it reads requests as JSON lines, and writes its words in the same way.

`engine.py` starts it as a script. It imports nothing of ours, and ends when its parent's pipe closes, whatever
it is doing then: a parent that was killed leaves nothing behind.
"""

from __future__ import annotations

import json
import os
import queue
import secrets
import sys
import threading
from typing import Any

WINDOW_TOKENS = 4096
# The prompt is read in such portions, and a request can be cancelled between two.
PORTION_TOKENS = 64
# The most likely word each time, so that a reply gone on with ends as it would have.
SAMPLING = {"temperature": 0, "repeat_penalty": 1.1, "seed": 1}
NICENESS = 5
TOO_LONG = "exceed_context_size_error"


class Line:
    """Both directions of the pipe. Reading has a thread of its own, so that nothing keeps it from ending."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb", buffering=0)
        # Whatever a library prints goes where errors go, not between our lines.
        os.dup2(2, 1)
        self._requests: queue.Queue[dict[str, Any]] = queue.Queue()
        self._cancelled: set[int] = set()

    def read(self) -> None:
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if "cancel" in message:
                self._cancelled.add(message["cancel"])
            else:
                self._requests.put(message)
        os._exit(0)

    def next_request(self) -> dict[str, Any]:
        return self._requests.get()

    def is_cancelled(self, number: int) -> bool:
        return number in self._cancelled

    def forget(self, number: int) -> None:
        self._cancelled.discard(number)

    def write(self, **message: Any) -> None:
        try:
            self._out.write(json.dumps(message).encode() + b"\n")
        except BrokenPipeError:
            os._exit(0)


class Answer:
    """One answer while it is made."""

    def __init__(self, line: Line, number: int) -> None:
        self._line, self._number = line, number
        self.reason: str | None = None
        self.error: dict[str, Any] = {}
        self.usage: dict[str, int] = {}

    def take(self, chunk: dict[str, Any]) -> bool:
        """Passes on a piece that the model has made; true stops it."""
        self.error = chunk.get("error", self.error)
        self.usage = chunk.get("usage") or self.usage
        for choice in chunk.get("choices", ()):
            self.reason = choice["finish_reason"] or self.reason
            self._line.write(id=self._number, text=choice["text"])
        return self._line.is_cancelled(self._number)


def serve(server: Any, line: Line) -> None:
    while True:
        request = line.next_request()
        if not line.is_cancelled(request["id"]):
            _answer(server, line, request)
        line.forget(request["id"])


def _answer(server: Any, line: Line, request: dict[str, Any]) -> None:
    """Leaves out the oldest turns until the rest fits; only the last is never left out."""
    turns = request["turns"]
    answer = _generate(server, line, request, turns)
    while answer.error.get("type") == TOO_LONG and len(turns) > 1:
        turns = turns[1:]
        answer = _generate(server, line, request, turns)
    if answer.reason:
        counts = {"input": answer.usage["prompt_tokens"], "output": answer.usage["completion_tokens"]}
        line.write(id=request["id"], finished=answer.reason, **counts)
    else:
        too_long = answer.error.get("type") == TOO_LONG
        line.write(id=request["id"], failed="too_long" if too_long else str(answer.error))


def _generate(server: Any, line: Line, request: dict[str, Any], turns: list[str]) -> Answer:
    answer = Answer(line, request["id"])
    script = "".join([request["head"], *turns, request["tail"]])
    body = {
        # A lone surrogate is no text to the library.
        "prompt": script.encode(errors="replace").decode(),
        "n_predict": request["most"],
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,
        **SAMPLING,
    }
    try:
        server.handle_completions(body, answer.take)
    except Exception as error:
        answer.error = {"message": repr(error)}
    return answer


def load(model: str) -> Any:
    """The model, on one thread: two wobble."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx = WINDOW_TOKENS
    params.n_batch = params.n_ubatch = PORTION_TOKENS
    params.n_parallel = 1
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.n_threads_http = 1
    params.cache_ram_mib = 0
    params.verbosity = -1
    # The library also listens on a port of this machine: there it asks for a key that nobody has.
    params.api_keys = [secrets.token_urlsafe(32)]
    params.endpoint_slots = params.ui = False
    return xllamacpp.Server(params)


def main() -> None:
    line = Line()
    threading.Thread(target=line.read, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    try:
        server = load(sys.argv[1])
    except Exception as error:
        line.write(broken=f"{type(error).__name__}: {error}")
        os._exit(1)
    serve(server, line)


if __name__ == "__main__":
    main()
