"""The vendors' server as a process of its own, as crash tests and benchmarks start it."""

import subprocess
import sys

import openai

from tests.vendors.wish import model_name


def test_the_process_prints_its_address_and_serves() -> None:
    command = [sys.executable, "-m", "tests.vendors.serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            with openai.OpenAI(base_url=f"{address}/v1", api_key="a", max_retries=0) as client:
                chunks = client.chat.completions.create(
                    model=model_name(tokens=5, rate=500, stamped=1),
                    messages=[{"role": "user", "content": "hi"}],
                    stream=True,
                )
                stamps = [int(text) for chunk in chunks if (text := chunk.choices[0].delta.content)]
        finally:
            process.terminate()
    assert len(stamps) == 5
    assert stamps == sorted(stamps)
