"""The Python API: what the commands do, typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from epicene import run, systems
from epicene.engines import local
from epicene.engines.local import Progress
from epicene.languages.codes import pair as parse_pair
from epicene.run import Result, Sink
from epicene.store.cache import Cache
from epicene.store.hypotheses import Hypotheses
from epicene.types import Verdict


def score(set_name: str, langs: str, translations: str | Path | Iterable[str], protocol: str = "epicene") -> Result:
    """Measure translations of a set: a path, an open file or a list of lines; the verdicts come along."""
    verdicts: list[Verdict] = []
    result = score_file(set_name, langs, translations, protocol, sink=verdicts.append)
    return replace(result, verdicts=tuple(verdicts))


def score_file(
    set_name: str,
    langs: str,
    translations: str | Path | Iterable[str],
    protocol: str = "epicene",
    sink: Sink | None = None,
) -> Result:
    """Measure translations without keeping the verdicts, however many: each goes to the sink and is let go."""
    challenge = run.open_set(set_name)
    pair = run.open_pair(langs, challenge)
    hypotheses = Hypotheses(translations)
    outputs = run.outputs_of_file(challenge, pair, hypotheses)
    return run.score(challenge, pair, outputs, hypotheses.name, protocol, sink)


def translate(
    text: str | Iterable[str],
    langs: str,
    system: str,
    cached: bool = True,
    progress: Progress | None = None,
) -> list[str]:
    """Translate the sentences of a set, given by its name, or any lines; what is in the cache is not asked for again."""
    if isinstance(text, str):
        challenge = run.open_set(text)
        pair = run.open_pair(langs, challenge)
        items = list(challenge.items(pair))
        with _cache(cached) as cache:
            return [output.text for output in run.outputs_of_system(items, pair, system, cache, progress)]
    with _cache(cached) as cache:
        return local.translate(systems.load(system), list(text), parse_pair(langs), cache, progress)


@contextmanager
def _cache(wanted: bool) -> Iterator[Cache | None]:
    cache = Cache() if wanted else None
    try:
        yield cache
    finally:
        if cache:
            cache.close()
