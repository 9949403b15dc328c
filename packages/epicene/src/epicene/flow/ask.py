"""Translates on this machine: each distinct sentence once, batched by length, stored as it arrives."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from epicene.errors import (
    EpiceneError,
    InputError,
    RefusedError,
    ServiceError,
    SystemFailure,
    TryLaterError,
    UnknownNameError,
)
from epicene.registry import parse_spec
from epicene.result import Decoding
from epicene.store.cache import Cache
from epicene.systems.network.answers import match_answers
from epicene.systems.network.keys import scrub_error
from epicene.systems.network.money import Budget
from epicene.systems.network.remote import RemoteRun
from epicene.systems.network.service import Answer, Service
from epicene.text import one_line, scrub
from epicene.types import Pair, System, UnorderedSystem

if TYPE_CHECKING:
    from epicene.flow.ray import Cluster

T = TypeVar("T")
Progress = Callable[[int, int], None]  # done, total
_log = logging.getLogger(__name__)

# Answers that arrive one by one are committed in small groups: at most this many, at most this late.
_GROUP = 32
_SECONDS = 0.2


def translate(
    system: System,
    sources: Sequence[str],
    pair: Pair,
    cache: Cache | None = None,
    progress: Progress | None = None,
    since: str = "",
    budget: Budget | None = None,
) -> list[str]:
    """One translation per source; blank sources are blank and never sent.

    ``since``: a day; answers that the cache keeps from before it are asked for again.
    """
    wanted = _drop_blanks(sources)
    answers = cache.known(system.identity, pair, wanted, since) if cache else {}

    def report() -> None:
        if progress:
            progress(len(answers), len(wanted))

    def keep(answered: list[tuple[str, Answer]]) -> None:
        _add(cache, system.identity, pair, answered)
        answers.update((source, answer.text) for source, answer in answered)
        report()

    report()
    if cache and answers:
        period, counted = cache.period(system.identity, pair, answers, since), f"{len(answers):,} of {len(wanted):,}"
        _log.warning("%s %s: %s answers come from the cache, given %s", system.identity, pair, counted, period)
    _log.info("%s %s: %d of %d sentences to translate", system.identity, pair, len(wanted) - len(answers), len(wanted))
    if isinstance(system, Service):
        if len(answers) == len(wanted):
            return _order(sources, answers)
        with cache.claim(system.identity, pair) if cache else nullcontext():
            # Another run may have asked while this one waited.
            answers |= cache.known(system.identity, pair, wanted, since) if cache else {}
            RemoteRun(system, _find_lacking(wanted, answers), pair, keep, budget, known=len(answers)).run()
    else:
        for source, text in _translate_missing(system, sorted(_find_lacking(wanted, answers), key=len), pair, cache):
            answers[source] = text
            report()
    return _order(sources, answers)


def _order(sources: Iterable[str], answers: Mapping[str, str]) -> list[str]:
    # A line break in an answer would move all the lines after it.
    return [one_line(answers[source]) if source.strip() else "" for source in sources]


def _translate_missing(
    system: System, sources: Iterable[str], pair: Pair, cache: Cache | None
) -> Iterator[tuple[str, str]]:
    """Sources with their answers as they come, each stored before it is passed on."""
    if isinstance(system, UnorderedSystem):
        for part in system.translate_unordered(sources, pair):
            if cache:
                cache.add(system.identity, pair, part)
            yield from part
        return
    for batch in batches(sources, system.batch_size):
        yield from _store_batch(system, batch, pair, cache)


def _drop_blanks(sources: Iterable[str]) -> list[str]:
    return [source for source in dict.fromkeys(sources) if source.strip()]


def _find_lacking(wanted: Iterable[str], answers: Container[str]) -> list[str]:
    return [source for source in wanted if source not in answers]


def find_missing(system: System, sources: Sequence[str], pair: Pair, cache: Cache | None, since: str = "") -> list[str]:
    """The distinct sources that would have to be asked for."""
    wanted = _drop_blanks(sources)
    return _find_lacking(wanted, cache.known(system.identity, pair, wanted, since) if cache else {})


def try_server(service: Service, source: str, pair: Pair) -> None:
    """Ask for one sentence, without patience; a server that is only busy, or refuses the sentence alone, works."""
    try:
        match_answers(service.identity, [source], service.ask([source], pair))
    except (RefusedError, InputError):
        return  # it is told of when all sentences are asked for
    except ServiceError as error:
        if not isinstance(error, TryLaterError) or error.status is None:
            raise scrub_error(error, "; it was tried with one sentence before all others") from None


def check(service: Service, pair: Pair) -> list[str]:
    """Whether a service's key, quota and pair work; what was found, one line each, without a key."""
    try:
        return [scrub(line) for line in service.check(pair)]
    except EpiceneError as error:
        raise scrub_error(error) from None


def _add(cache: Cache | None, identity: str, pair: Pair, answered: list[tuple[str, Answer]]) -> None:
    """Store answers by the model that gave them."""
    if cache:
        for kind in dict.fromkeys((answer.model, answer.refused) for _, answer in answered):
            texts = [(source, answer.text) for source, answer in answered if (answer.model, answer.refused) == kind]
            cache.add(identity, pair, texts, *kind)


def batches(things: Iterable[T], size: int | None) -> Iterator[list[T]]:
    """Things so many at a time, or all at once."""
    rest = iter(things)
    return iter(lambda: list(islice(rest, size)), [])


def _store_batch(system: System, batch: list[str], pair: Pair, cache: Cache | None) -> Iterator[tuple[str, str]]:
    """Source and translation as they arrive, each stored before it is passed on."""
    pending: list[tuple[str, str]] = []
    stored: list[str] = []
    last = time.monotonic()

    def store() -> list[tuple[str, str]]:
        nonlocal last
        done = pending.copy()
        if cache and done:
            cache.add(system.identity, pair, done)
        pending.clear()
        stored.extend(source for source, _ in done)
        last = time.monotonic()
        return done

    try:
        for answer in _count_answers(system, batch, pair):
            pending.append(answer)
            if len(pending) >= _GROUP or time.monotonic() - last > _SECONDS:
                yield from store()
    except MiscountError:
        # Answers are matched to sources by their order, so none of this batch can be trusted.
        if cache:
            cache.forget(system.identity, pair, stored)
        raise
    except SystemFailure:
        # The system failed in mid-batch: what it had answered in order is good.
        store()
        raise
    yield from store()


def _count_answers(system: System, batch: list[str], pair: Pair) -> Iterator[tuple[str, str]]:
    """Sources with their answers, which must be as many."""
    count = 0
    for text in system.translate(batch, pair):
        if count == len(batch):
            raise MiscountError(f"{system.identity} answered more than the {len(batch)} lines it was given")
        yield batch[count], text
        count += 1
    if count < len(batch):
        raise MiscountError(f"{system.identity} answered {count} lines for the {len(batch)} it was given")


class MiscountError(SystemFailure):
    """A system gave another number of answers than it was asked for."""


class Timed:
    """A system that notes how many sentences it translated in how many seconds."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.identity = system.identity
        self.batch_size = system.batch_size
        self._sentences = 0
        self._seconds = 0.0

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterator[str]:
        """The system's own answers; the clock stands still while an answer is being used."""
        start = time.perf_counter()
        for text in self._system.translate(sources, pair):
            self._seconds += time.perf_counter() - start
            self._sentences += 1
            yield text
            start = time.perf_counter()
        self._seconds += time.perf_counter() - start

    @property
    def decoding(self) -> Decoding | None:
        """What it took; None if every answer came from the cache."""
        return Decoding(self._sentences, round(self._seconds, 3)) if self._sentences else None


def load_engine(spec: str) -> Cluster | None:
    """The engine of ``ray``, ``ray:ADDRESS`` or ``ray?workers=2``; none for ``local``, which is this process."""
    kind, argument, options = parse_spec(spec)
    if kind not in ("local", "ray"):
        raise UnknownNameError("engine", spec, ("local", "ray", "ray:ADDRESS"))
    engine = None
    if kind == "ray":
        from epicene.flow.ray import Cluster

        engine = Cluster(argument, options)
    elif argument:
        raise InputError(f"engine local takes no argument, got {argument!r}")
    options.done()
    return engine


def open_engine(spec: str) -> AbstractContextManager[Cluster | None]:
    """The engine of a name, closed at the end."""
    engine = load_engine(spec)
    return closing(engine) if engine else nullcontext()
