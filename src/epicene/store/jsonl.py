"""Verdicts as JSON lines in a file of the user's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from epicene.files import written
from epicene.store.codec import verdict_record
from epicene.types import Verdict


@contextmanager
def verdict_file(path: Path | None) -> Iterator[Callable[[Verdict], None] | None]:
    """A sink that writes each verdict as a line; the file appears when all are there."""
    if path is None:
        yield None
        return
    with written(path) as stream:

        def sink(verdict: Verdict) -> None:
            stream.write(json.dumps(verdict_record(verdict), ensure_ascii=False) + "\n")

        yield sink
