"""Verdicts and other records as JSON lines in a file of the user's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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


def write_jsonl(path: Path, records: Iterable[dict[str, Any]]) -> None:
    """Write records as JSON lines; the file appears when all are there."""
    with written(path) as stream:
        stream.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
