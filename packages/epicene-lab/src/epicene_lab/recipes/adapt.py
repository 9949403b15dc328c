"""``python -m epicene_lab.recipes.adapt DIR...``: train what ``epicene lab adapt --data-only`` prepared."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from epicene.errors import EpiceneError
from epicene_lab import adapt, arrays, store
from epicene_lab.loop import Limits


def main(arguments: Sequence[str] | None = None) -> int:
    """Train each folder; weights are left in 8 bits where ``--packed`` asks for it."""
    parser = argparse.ArgumentParser(
        prog="python -m epicene_lab.recipes.adapt", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("folders", type=Path, nargs="+", help="folders of epicene lab adapt --data-only")
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"))
    parser.add_argument("--minutes", type=float, help="save and leave after so many, to go on later")
    parser.add_argument("--packed", type=Path, help="also write models with 8-bit weights here, a quarter of the size")
    given = parser.parse_args(arguments)
    deadline = None if given.minutes is None else time.monotonic() + 60 * given.minutes
    try:
        for folder in given.folders:
            begun = time.monotonic()
            done = adapt.train(folder, given.device, limits=Limits(deadline=deadline))
            print(f"{folder}: {'done' if done else 'not done'}, {time.monotonic() - begun:.0f} s", flush=True)
            if done and given.packed:
                _pack(folder / adapt.MODEL, given.packed / folder.name / adapt.MODEL)
    except EpiceneError as error:
        print(f"epicene: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _pack(model: Path, to: Path) -> None:
    from epicene_lab.export import pack

    arrays.save(to / store.WEIGHTS, pack(arrays.load(model / store.WEIGHTS)))
    for name in (store.MODEL, store.PIECES):
        (to / name).write_bytes((model / name).read_bytes())


if __name__ == "__main__":
    sys.exit(main())
