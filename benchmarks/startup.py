"""Start-up: ``epicene --version`` against importing typer and rich, medians of alternating runs."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 20


def timed(*arguments: str) -> float:
    """Seconds that a Python process takes."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Print both medians and their ratio."""
    pairs = [(timed("-m", "epicene", "--version"), timed("-c", "import typer, rich")) for _ in range(RUNS)]
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(
        f"epicene --version {1000 * ours:.0f} ms, import typer, rich {1000 * theirs:.0f} ms, ratio {ours / theirs:.2f}"
    )


if __name__ == "__main__":
    main()
