"""Other tools, each in an environment of its own, and processes with their time and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

ENVIRONMENTS = Path(__file__).parent.parent / ".venv-peers"


def python_with(*requirements: str) -> Path:
    """The Python of an environment that has the requirements, made the first time."""
    folder = ENVIRONMENTS / "-".join(requirements).replace("=", "")
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        print(f"installing {', '.join(requirements)} …", file=sys.stderr, flush=True)
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *requirements], check=True, stdout=sys.stderr)
        ready.touch()
    return python


def answer(python: str | Path, script: str, *arguments: str | Path) -> tuple[Any, float]:
    """What a script prints as JSON, and the peak memory of its process in MB."""
    process = subprocess.Popen([python, "-c", script, *map(str, arguments)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"a benchmark process failed with exit code {process.returncode}")
    return json.loads(printed), usage.ru_maxrss / 1024
