"""How shipped models, tables and results were made; each folder is a command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from epicene.errors import EpiceneError


def run_stage(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> int:
    """Carry out the stage that the arguments name, printing its lines; the exit code."""
    given = parser.parse_args(arguments)
    try:
        for line in given.stage(given):
            print(line, flush=True)
    except EpiceneError as error:
        print(f"epicene: {error}", file=sys.stderr)
        return error.exit_code
    return 0
