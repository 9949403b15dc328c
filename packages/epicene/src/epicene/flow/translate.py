"""Items → outputs: by a system for text or speech, from the cache, or from a file of translations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from epicene.errors import InputError
from epicene.flow import ask, context, plan
from epicene.flow.ask import Progress, Timed
from epicene.flow.plan import NamedSystem
from epicene.flow.sample import open_sample
from epicene.languages.codes import pair as parse_pair
from epicene.options import Asking, apply_options
from epicene.result import Decoding, Period
from epicene.sets import TestSet
from epicene.store.cache import Cache
from epicene.store.hypotheses import TranslationLines, group_by_line
from epicene.systems import for_speech, for_text, translator_of
from epicene.systems.network import money
from epicene.systems.network.money import Budget, Estimate
from epicene.systems.network.service import Service
from epicene.types import AnySystem, Cascade, Item, Output, Pair, System, TranslationFile, UnorderedSystem

if TYPE_CHECKING:
    from epicene.flow.ray import Cluster


def translate(
    text: str | TestSet | Iterable[str],
    langs: str,
    system: str | AnySystem,
    asking: Asking = Asking(),  # noqa: B008 - frozen
    **options: Any,
) -> list[str]:
    """Translate a test set, given by name, or any lines. Cached translations are reused.

    ``options`` are fields of ``Asking``, such as ``budget=20``.
    """
    (asking,) = apply_options(options, asking)
    if asking.sample is not None:
        raise InputError("translate takes all of a text or a set; a sample is for audit")
    with open_asker(asking) as asker:
        named = plan.open_named(system)
        if not isinstance(text, str | TestSet):
            return translate_lines(named, list(text), parse_pair(langs), asker)
        return translate_set(named, text, langs, asker)[1]


def estimate(
    text: str | TestSet | Iterable[str],
    langs: str,
    system: str | AnySystem,
    asking: Asking = Asking(),  # noqa: B008 - frozen
    **options: Any,
) -> Estimate:
    """Estimate the cost of translating a test set, given by name, or any lines, without cached sentences."""
    (asking,) = apply_options(options, asking)
    name = ""
    if isinstance(text, str | TestSet):
        challenge = plan.open_set(text)
        name = challenge.name if isinstance(text, TestSet) else text
        pair = plan.open_pair(langs, challenge)
        items = list(challenge.items(pair))
        drawn = open_sample(asking)
        sources = [item.source for item in (drawn.of(items, challenge.measures) if drawn else items)]
    else:
        pair, sources = parse_pair(langs), list(text)
    with open_cache(asking.cached) as cache:
        return _estimate_cost(plan.open_named(system), sources, pair, cache, parse_day(asking.since), name)


def open_budget(asking: Asking) -> Budget | None:
    """What systems may cost, where that is limited."""
    return Budget(asking.budget) if asking.budget is not None else None


@dataclass(frozen=True, slots=True)
class Asker:
    """What translations are made with: where, what is kept of them, what they may cost, and who is told."""

    engine: Cluster | None  # none: this process
    cache: Cache | None
    progress: Progress | None = None
    since: str = ""  # a day; answers that the cache keeps from before it are asked for again
    budget: Budget | None = None

    def place(self, system: System, spec: str) -> System:
        """A system as the engine runs it; one without a name runs here."""
        return self.engine.place(system, spec) if self.engine and spec else system

    def translate(self, system: System, sources: Sequence[str], pair: Pair) -> list[str]:
        """One translation per source, made now or taken from the cache."""
        return ask.translate(system, sources, pair, self.cache, self.progress, self.since, self.budget)


@contextmanager
def open_asker(asking: Asking = Asking(), budget: Budget | None = None) -> Iterator[Asker]:  # noqa: B008 - frozen
    """What translations are made with; engine and cache are closed at the end. ``budget``: one that is shared."""
    since, budget = parse_day(asking.since), budget or open_budget(asking)
    with ask.open_engine(asking.engine) as engine, open_cache(asking.cached) as cache:
        yield Asker(engine, cache, asking.progress, since, budget)


def open_cache(wanted: bool) -> AbstractContextManager[Cache | None]:
    """The cache, closed at the end, or none."""
    return closing(Cache()) if wanted else nullcontext()


class Translated(NamedTuple):
    """What a system made of items, how long it took for those translated now, and when a service was asked."""

    outputs: list[Output]
    decoding: Decoding | None = None
    period: Period | None = None


def translate_items(
    named: NamedSystem, items: Sequence[Item], pair: Pair, asker: Asker, whole: Sequence[Item] = ()
) -> Translated:
    """The outputs of a system; ``whole``: of what the items are a sample."""
    if isinstance(named.system, TranslationFile):
        return Translated(_read_file(named.system, items, pair, whole or items))
    if any(item.audio for item in items):
        from epicene.flow import hear

        return Translated(*hear.outputs(for_speech(*named), items, pair, asker))
    system = for_text(*named)
    if context.is_given(items):  # another machine would open the system without its context
        return _translate_text(context.give_context(system, named.spec), items, pair, asker)
    return _translate_text(asker.place(system, named.spec), items, pair, asker)


def translate_set(named: NamedSystem, set_name: str | TestSet, langs: str, asker: Asker) -> tuple[str, list[str]]:
    """Who translated a set, and one line a sentence of it."""
    challenge = plan.open_set(set_name)
    pair = plan.open_pair(langs, challenge)
    outputs = translate_items(named, list(challenge.items(pair)), pair, asker).outputs
    texts = {output.item.id: output.text for output in outputs}
    return outputs[0].system, [texts[group[0].id] for group in group_by_line(output.item for output in outputs)]


def try_server(named: NamedSystem, items: Sequence[Item], pair: Pair, asker: Asker) -> None:
    """Ask a server that costs nothing for one sentence that is missing, so that a broken one is known at once."""
    if isinstance(named.system, Service) and not named.system.price and not items[0].audio:
        given = context.is_given(items)
        system = context.give_context(named.system, named.spec) if given else named.system
        missing = ask.find_missing(system, list(map(context.write_source, items)), pair, asker.cache, asker.since)
        if isinstance(system, Service) and missing:
            ask.try_server(system, missing[0], pair)


def _read_file(file: TranslationFile, items: Sequence[Item], pair: Pair, whole: Sequence[Item]) -> list[Output]:
    path = file.path.replace("{pair}", str(pair)).replace("{target}", pair.target)  # of a pattern of files
    lines, wanted = TranslationLines(path), {item.id for item in items}
    pairs = lines.pair_with(whole, pair.target)
    return [Output(item, lines.name, pair.target, text) for item, text in pairs if item.id in wanted]


def _translate_text(system: System, items: Sequence[Item], pair: Pair, asker: Asker) -> Translated:
    sources = [context.write_source(item) for item in items]
    timed = Timed(system)
    asked = system if isinstance(system, Service | UnorderedSystem) else timed
    texts = asker.translate(asked, sources, pair)
    period, refused = None, dict[str, str]()
    if asker.cache and isinstance(system, Service):
        period = asker.cache.period(system.identity, pair, dict.fromkeys(sources), asker.since)
        refused = asker.cache.refused(system.identity, pair, dict.fromkeys(sources), asker.since)
    outputs = [
        Output(item, system.identity, pair.target, text, refused=refused.get(context.write_source(item), ""))
        for item, text in zip(items, texts, strict=True)
    ]
    return Translated(outputs, timed.decoding, period)


def translate_lines(named: NamedSystem, sources: Sequence[str], pair: Pair, asker: Asker) -> list[str]:
    """The translations of any lines."""
    return asker.translate(asker.place(for_text(*named), named.spec), sources, pair)


def _estimate_cost(
    named: NamedSystem, sources: Sequence[str], pair: Pair, cache: Cache | None, since: str, set_name: str
) -> Estimate:
    """What it would cost to translate what the cache does not have."""
    if isinstance(named.system, TranslationFile):
        return money.estimate(named.system, [], set_name, str(pair))
    asked = translator_of(named.system)
    if asked is None:
        raise InputError(f"{named.spec} translates no text, so there is nothing to price")
    if isinstance(asked, Service):
        asked.accepts(pair)  # before another one is paid for
    missing = ask.find_missing(asked, sources, pair, cache, since)
    # What a recogniser will write down is taken to be as long as what was said, which is translated as well.
    heard = sources if isinstance(named.system, Cascade) and named.system.recogniser else []
    return money.estimate(asked, [*missing, *heard], set_name, str(pair))


def parse_day(since: str) -> str:
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
