"""Sources → n-best lists: from a system, by the cache, or from a file of lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from epicene.act import nbest
from epicene.errors import EpiceneError, InputError
from epicene.flow import plan
from epicene.flow.translate import Asker
from epicene.systems import for_text
from epicene.systems.network.service import Answer, Service
from epicene.types import Candidate, CandidateSystem, Pair

_KINDS = "bundled, ctranslate2:, huggingface: and openai: do"
Lists = list[list[Candidate]]


class _Local:
    """A system whose answers are its lists, each as one line, so that they are kept and resumed as answers are."""

    def __init__(self, system: CandidateSystem, n: int) -> None:
        self._system, self._n = system, n
        self.identity = f"{system.identity}#nbest={n}"
        self.batch_size = max(1, system.batch_size // n) if system.batch_size else None

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterable[str]:
        """The lists of each source."""
        return map(nbest.encoded, self._system.candidates(sources, pair, self._n))


class _Remote(Service):
    """The same of a service, which the engine asks with patience and within a budget."""

    def __init__(self, system: Service, n: int) -> None:
        self._system, self._n = system, n
        self.identity = f"{system.identity}#nbest={n}"
        self.price = system.price
        self.limits = replace(system.limits, texts=1)

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One request for one sentence's candidates."""
        several = getattr(self._system, "ask_several")  # noqa: B009 - of services that give candidates
        found: list[Answer] = several(sources[0], pair, self._n)
        return [found[0]._replace(text=nbest.encoded(Candidate(each.text) for each in found))]

    def check(self, pair: Pair) -> list[str]:
        """What the service itself finds."""
        return self._system.check(pair)

    def billed(self, source: str) -> int:
        """Every candidate is an answer of its own."""
        return self._n * self._system.billed(source)


def of_system(spec: str, sources: Sequence[str], pair: Pair, n: int, by: Asker) -> Lists:
    """The n best translations of each source, made now or taken from the cache."""
    if n < 2:
        raise InputError(f"-n {n}: a list to choose from needs at least 2 candidates")
    named = plan.open_named(spec)
    system = for_text(*named)
    if not isinstance(system, CandidateSystem):
        raise InputError(f"{spec} gives no n-best lists; {_KINDS}, or give a file of lists with --nbest")
    listed = _Remote(system, n) if isinstance(system, Service) else _Local(system, n)
    found = by.translate(listed, sources, pair)
    return [nbest.decoded(line) if line else [Candidate("")] for line in found]


def of_file(path: str | Path, sources: Sequence[str], of: str, pair: Pair | None = None) -> Lists:
    """The lists of a file, if it has one for every source."""
    lists = nbest.read(path)
    try:
        return nbest.matched(path, lists, sources, of)
    except InputError as error:
        if pair is None or len(lists) == len(sources) or not (other := _set_of(len(lists), pair)):
            raise
        raise InputError(f"{error}; {other} has as many sentences: -t {other}?") from None


def _set_of(count: int, pair: Pair) -> str:
    """The set that has so many sentences, if one that is on this machine does."""
    from epicene import sets
    from epicene.store.hypotheses import by_line

    for name in sets.SETS.names():
        try:
            challenge = plan.open_set(name)
            if pair.source in challenge.about.sources and sum(1 for _ in by_line(challenge.items(pair))) == count:
                return name
        except EpiceneError:  # not on this machine, or not of this language
            continue
    return ""
