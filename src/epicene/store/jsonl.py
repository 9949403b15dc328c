"""Verdicts and outputs as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from epicene.files import written
from epicene.types import Output, Verdict


def output_record(output: Output) -> dict[str, Any]:
    """An output as a JSON line has it."""
    item = output.item
    return {
        "id": item.id,
        "system": output.system,
        "target": output.target,
        "source": item.source,
        "output": output.text,
        **(output.heard._asdict() if output.heard else {}),
    }


def verdict_record(verdict: Verdict) -> dict[str, Any]:
    """A verdict as a JSON line has it."""
    item = verdict.output.item
    focus = item.focus
    cause = verdict.cause
    rest: dict[str, Any] = {} if item.audio is None else {"audio": str(item.audio.absolute())}
    if cause:
        rest |= {"cause": {"origin": cause.origin.value, "cue": cause.cue.value, "written": cause.written.value}}
    return {
        **output_record(verdict.output),
        "expected": item.expected and item.expected.value,
        "gender": verdict.gender.value,
        "method": verdict.method,
        "evidence": [[each.text, each.start, each.end] for each in verdict.evidence],
        "focus": {"text": focus.text, "start": focus.start, "concept": focus.concept, "plural": focus.plural},
        "labels": dict(item.labels),
        **rest,
    }


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
