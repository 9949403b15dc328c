"""Items → outputs: by a system for text or speech, from the cache, or from a file of translations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import NamedTuple

from epicene.errors import InputError
from epicene.flow import ask, context
from epicene.flow.ask import Engine, Progress, Timed
from epicene.flow.plan import NamedSystem
from epicene.result import Decoding, Period
from epicene.store.cache import Cache
from epicene.store.hypotheses import Hypotheses
from epicene.systems import for_speech, for_text, translator_of
from epicene.systems.network import money
from epicene.systems.network.money import Budget, Estimate
from epicene.systems.network.service import Service
from epicene.types import Cascade, Item, Output, Pair, System, TranslationFile, UnorderedSystem


@dataclass(frozen=True, slots=True)
class Means:
    """What translations are made with: where, what is kept of them, what they may cost, and who is told."""

    engine: Engine
    cache: Cache | None
    progress: Progress | None = None
    since: str = ""  # a day; answers that the cache keeps from before it are asked for again
    budget: Budget | None = None

    def translate(self, system: System, sources: Sequence[str], pair: Pair) -> list[str]:
        """One translation per source, made now or taken from the cache."""
        return ask.translate(system, sources, pair, self.cache, self.progress, self.since, self.budget)


@contextmanager
def means(
    engine: str = "local",
    cached: bool = True,
    progress: Progress | None = None,
    since: str = "",
    budget: Budget | None = None,
) -> Iterator[Means]:
    """What translations are made with; engine and cache are closed at the end."""
    with ask.open_engine(engine) as runner, opened_cache(cached) as cache:
        yield Means(runner, cache, progress, since, budget)


@contextmanager
def opened_cache(wanted: bool) -> Iterator[Cache | None]:
    """The cache, closed at the end, or none."""
    cache = Cache() if wanted else None
    try:
        yield cache
    finally:
        if cache:
            cache.close()


class Translated(NamedTuple):
    """What a system made of items, how long it took for those translated now, and when a service was asked."""

    outputs: list[Output]
    decoding: Decoding | None = None
    period: Period | None = None


def translated(
    named: NamedSystem, items: Sequence[Item], pair: Pair, by: Means, whole: Sequence[Item] = ()
) -> Translated:
    """The outputs of a system; ``whole``: of what the items are a sample."""
    if isinstance(named.system, TranslationFile):
        return Translated(_of_file(named.system, items, pair, whole or items))
    if any(item.audio for item in items):
        from epicene.flow import hear

        return Translated(*hear.outputs(for_speech(*named), items, pair, by))
    system = for_text(*named)
    if context.is_given(items):  # another machine would open the system without its context
        return _of_text(context.with_context(system, named.spec), items, pair, by)
    return _of_text(by.engine.place(system, named.spec), items, pair, by)


def _of_file(file: TranslationFile, items: Sequence[Item], pair: Pair, whole: Sequence[Item]) -> list[Output]:
    lines, wanted = Hypotheses(file.path), {item.id for item in items}
    pairs = lines.paired(whole, pair.target)
    return [Output(item, lines.name, pair.target, text) for item, text in pairs if item.id in wanted]


def _of_text(system: System, items: Sequence[Item], pair: Pair, by: Means) -> Translated:
    sources = [context.asked(item) for item in items]
    timed = Timed(system)
    asked = system if isinstance(system, Service | UnorderedSystem) else timed
    texts = by.translate(asked, sources, pair)
    period, refused = None, dict[str, str]()
    if by.cache and isinstance(system, Service):
        period = by.cache.period(system.identity, pair, dict.fromkeys(sources), by.since)
        refused = by.cache.refused(system.identity, pair, dict.fromkeys(sources), by.since)
    outputs = [
        Output(item, system.identity, pair.target, text, refused=refused.get(context.asked(item), ""))
        for item, text in zip(items, texts, strict=True)
    ]
    return Translated(outputs, timed.decoding, period)


def lines(named: NamedSystem, sources: Sequence[str], pair: Pair, by: Means) -> list[str]:
    """The translations of any lines."""
    return by.translate(by.engine.place(for_text(*named), named.spec), sources, pair)


def estimate(
    named: NamedSystem, sources: Sequence[str], pair: Pair, cache: Cache | None, since: str, set_name: str
) -> Estimate:
    """What it would cost to translate what the cache does not have."""
    if isinstance(named.system, TranslationFile):
        return money.estimate(named.system, [], set_name, str(pair))
    asked = translator_of(named.system)
    if asked is None:
        raise InputError(f"{named.spec} translates no text, so there is nothing to price")
    ask.accepts(asked, pair)
    missing = ask.missing(asked, sources, pair, cache, since)
    # What a recogniser will write down is taken to be as long as what was said, which is translated as well.
    heard = sources if isinstance(named.system, Cascade) and named.system.recogniser else []
    return money.estimate(asked, [*missing, *heard], set_name, str(pair))


def day(since: str) -> str:
    """A day as the cache writes it; one that is still to come would have the same answers paid for on every run."""
    today = datetime.now(UTC).date()
    if since in ("", "today"):
        return since and today.isoformat()
    try:
        day = date.fromisoformat(since)
    except ValueError:
        raise InputError(f"--since {since!r}: expected a day such as 2026-04-01, or today") from None
    if day > today:
        raise InputError(f"--since {since}: that day is still to come; today is {today} (UTC)")
    return day.isoformat()
