"""What backs the figures of the documentation: ``python -m benchmarks.NAME [PART]`` prints them anew."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping


def run_parts(parts: Mapping[str, Callable[[], None]]) -> None:
    """Run the part that the command line names first, or all of them; the other words are the part's."""
    if sys.argv[1:] and sys.argv[1] in parts:
        parts[sys.argv.pop(1)]()
        return
    for name, part in parts.items():
        print(f"-- {name}", flush=True)
        part()
