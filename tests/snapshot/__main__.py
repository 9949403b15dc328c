"""``python -m tests.snapshot write|check|list [CASE …] [-j N] [--numbers]``; a CASE may hold *."""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from tests.snapshot import store
from tests.snapshot.cases import Case, list_cases
from tests.snapshot.compare import Difference, compare, read_changes

CHANGED = Path(__file__).parent / "changed.toml"
_LONGEST = 300  # characters of a value that is shown
_MOST = 200  # differences that are shown


def find_differences(
    cases: Sequence[Case], stored: store.Snapshot, new: store.Snapshot, numbers: bool
) -> list[Difference]:
    """What differs between the stored answers of these cases and the new ones, and was not declared."""
    names = {case.name for case in cases}
    changes = read_changes(CHANGED)
    old = {name: sections for name, sections in stored.items() if name in names or len(names) == len(list_cases())}
    differences = []
    for section in store.SECTIONS[: 1 if numbers else 2]:
        differences += compare(store.join(old, section), store.join(new, section), changes)
    return differences


def show(difference: Difference) -> str:
    """One difference in words."""
    old, new = (str(value)[:_LONGEST] for value in (difference.old, difference.new))
    if "\n" in old + new or old.startswith("-"):
        return f"{difference.path}: {difference.kind}\n{old}\n{new}"
    return f"{difference.path}: {difference.kind}: {old} → {new}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write, check or list the cases that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.snapshot", description=__doc__)
    parser.add_argument("action", choices=("write", "check", "list"))
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--numbers", action="store_true", help="ignore wording")
    options = parser.parse_intermixed_args(arguments)
    patterns = options.cases or ["*"]
    cases = [case for case in list_cases() if any(fnmatchcase(case.name, pattern) for pattern in patterns)]
    if options.action == "list":
        print("\n".join(f"{case.name}\t{'; '.join(case.commands)}" for case in cases))
        return 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        answers = store.run_cases(cases, Path(folder), options.jobs)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = f"{len(cases)} cases, {used.ru_utime + used.ru_stime:.0f} s of CPU, {time.monotonic() - began:.0f} s"
    if options.action == "write":
        store.write(answers)
        print(f"written: {cost}")
        return 0
    differences = find_differences(cases, store.read(), answers, options.numbers)
    print("\n".join(show(difference) for difference in differences[:_MOST]))
    print(f"{len(differences)} differences in {cost}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
