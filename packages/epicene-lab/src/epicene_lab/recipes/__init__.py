"""How shipped models, tables and results were made; each folder is a command."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from epicene.errors import EpiceneError


class Stages:
    """The stages of a recipe, as commands of ``python -m``."""

    def __init__(self, module: str, about: str) -> None:
        self._parser = argparse.ArgumentParser(prog=f"python -m {module}", description=about.splitlines()[0])
        self._stages = self._parser.add_subparsers(required=True)
        self._module = module

    def add(self, name: str, about: str, function: str) -> argparse.ArgumentParser:
        """A stage: ``FILE.FUNCTION`` of the recipe, imported when it is called, with the arguments by their names."""
        stage = self._stages.add_parser(name, help=about)
        stage.set_defaults(stage=function)
        return stage

    def run(self, arguments: Sequence[str] | None) -> int:
        """Carry out the stage that the arguments name, printing its lines; the exit code."""
        given = vars(self._parser.parse_args(arguments))
        file, _, function = given.pop("stage").partition(".")
        try:
            for line in getattr(importlib.import_module(f"{self._module}.{file}"), function)(**given) or ():
                print(line, flush=True)
        except EpiceneError as error:
            print(f"epicene: {error}", file=sys.stderr)
            return error.exit_code
        return 0
