"""``make bench``: runs every benchmark of this folder, or those named."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks

DATA = "EPICENE_TEST_DATA"


def main() -> None:
    """Run the benchmarks and print what each prints."""
    found = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.name.startswith("_")]
    for name in sys.argv[1:] or found:
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"== {name}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
        sys.argv[1:] = []
        try:
            module.main()
        except KeyError as missing:
            if missing.args != (DATA,):
                raise
            print(f"skipped: it needs the published data, whose folder {DATA} names")
        print()


main()
