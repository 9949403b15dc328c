"""The user's own references, from text files, and what measures quality by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from epicene.errors import InputError, MissingExtraError
from epicene.files import checksum
from epicene.flow.plan import Task
from epicene.measures import sacre
from epicene.measures.quality import USUAL, Quality, checked
from epicene.measures.rates import Measures
from epicene.store.hypotheses import Hypotheses
from epicene.types import Item, Pair

NOTE = "quality: "


def attach_references(tasks: Sequence[Task], metrics: Sequence[str], texts: Sequence[str | Path]) -> tuple[Task, ...]:
    """Tasks with the metrics, and the references that are theirs: ``FILE``, ``PAIR=FILE`` or ``SET@PAIR=FILE``."""
    wanted = checked(metrics)
    files: dict[int, list[Path]] = {number: [] for number in range(len(tasks))}
    for text in texts:
        head, equals, tail = str(text).partition("=")
        if not equals or Path(text).exists():
            head, tail = "", str(text)
        owners = [number for number, task in enumerate(tasks) if head in ("", *_names(task))]
        if not owners:
            known = ", ".join(dict.fromkeys(name for task in tasks for name in _names(task)))
            raise InputError(f"--reference-text {text}: nothing is called {head!r} here; expected {known}")
        if len(owners) > 1:
            names = ", ".join(f"{_names(tasks[owner])[-1]}={tail}" for owner in owners[:2])
            raise InputError(f"--reference-text {text}: several could have these references; expected {names} or such")
        files[owners[0]].append(Path(tail))
    return tuple(
        replace(task, metrics=wanted, reference_text=tuple(files[number])) for number, task in enumerate(tasks)
    )


def _names(task: Task) -> tuple[str, ...]:
    return str(task.pair), f"{task.challenge.name}@{task.pair}"


def open_quality_metrics(task: Task) -> Quality | None:
    """What measures the quality of a task's translations; None where nothing does, or could."""
    return _reader(task.metrics, task.reference_text, task.pair, task.measures, lambda: task.items)


class Wanted(NamedTuple):
    """The metrics and references that a comparison asks for."""

    metrics: tuple[str, ...]
    texts: tuple[str | Path, ...]

    @classmethod
    def of(cls, metrics: Sequence[str], texts: Sequence[str | Path]) -> Wanted:
        """What was asked for, if all of it is known."""
        return cls(checked(metrics), tuple(texts))

    def reader(self, set_name: str, pair: Pair, items: Sequence[Item], measures: Measures) -> Quality | None:
        """What collects translations with their references."""
        files = []
        for each in self.texts:
            head, equals, tail = str(each).partition("=")
            named = bool(equals) and not Path(each).exists()
            if not named or head in (str(pair), f"{set_name}@{pair}"):
                files.append(Path(tail if named else each))
        return _reader(self.metrics, tuple(files), pair, measures, lambda: items)


def _reader(
    metrics: tuple[str, ...],
    files: tuple[Path, ...],
    pair: Pair,
    measures: Measures,
    items: Callable[[], Sequence[Item]],
) -> Quality | None:
    asked = bool(metrics or files)
    if not asked and not measures.quality:
        return None
    metrics = metrics or USUAL
    if find_spec("sacrebleu") is None and set(metrics) & set(sacre.NAMES):
        if asked:
            raise MissingExtraError("BLEU and chrF", "quality")
        return None  # gender can be told without it
    if not files:
        return Quality(pair.target, metrics)
    texts: dict[str, list[str]] = {}
    for path in files:
        for item, text in Hypotheses(path).paired(items(), pair.target):
            texts.setdefault(item.id, []).append(text)
    filled = {name: tuple(filter(str.strip, own)) for name, own in texts.items()}
    digest = checksum(repr(sorted(filled.items())))
    names = "+".join(path.name for path in files)
    return Quality(pair.target, metrics, filled, f"reference:{names}@{digest}")


def explain_missing_quality(task: Task, quality: Quality | None) -> tuple[str, ...]:
    """What is to be said where quality was not measured; a refusal where it was asked for."""
    if quality is not None and quality.segments:
        return ()
    if task.metrics or task.reference_text:
        raise InputError(
            f"set {task.challenge.name} has no references for {task.pair}; give them with --reference-text FILE, one a "
            f"line in the order of: epicene sets export {task.challenge.name}"
        )
    first = next(iter(task.challenge.items(task.pair)), None) if quality is None and task.measures.quality else None
    if first and first.references:
        return (f"{NOTE}the set has references; BLEU and chrF: pip install 'epicene[quality]'",)
    return ()
