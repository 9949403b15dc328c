"""A server of one's own that speaks OpenAI's protocol: sentences a second now, and at 10 requests a second as before.

The server is on loopback and answers at once, so what is timed is the asking.
"""

from __future__ import annotations

import os
import time
from typing import cast

from benchmarks.services import sentences
from epicene import systems
from epicene.flow import ask as local
from epicene.types import Pair, System
from tests.servers.openai import OpenAIServer

COUNTS = {"": 600, "?rate=10&concurrent=8": 60}  # as it is, and as it was


def main() -> None:
    """Translate without a cache and print what a second holds."""
    with OpenAIServer() as server:
        server.open = True
        os.environ["OPENAI_BASE_URL"] = f"{server.url}/v1"
        for options, count in COUNTS.items():
            system = cast(System, systems.load(f"openai:{server.model}{options}"))
            started = time.perf_counter()
            found = local.translate(system, sentences(count), Pair("en", "de"))
            seconds = time.perf_counter() - started
            assert len(found) == count
            print(
                f"openai:{server.model}{options}: {count} sentences in {seconds:.1f} s, {count / seconds:.0f} a second"
            )


if __name__ == "__main__":
    main()
