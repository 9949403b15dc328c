"""The order of the stages: set → system → detector → measures. Nothing else knows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import cast

from epicene import registry, systems
from epicene.detectors import cascade, dictionary, winomt
from epicene.engines import local
from epicene.engines.clock import Timed
from epicene.errors import InputError, UnknownNameError
from epicene.languages.codes import pair as parse_pair
from epicene.measures.tally import Tally
from epicene.result import Decoding, Result
from epicene.store.cache import Cache
from epicene.store.hypotheses import Hypotheses
from epicene.types import ChallengeSet, Detector, Item, Output, Pair, Verdict
from epicene.version import __version__

PROTOCOLS = ("epicene", "paper")
_PAPER_DETECTORS: dict[str, Callable[[str], Detector]] = {
    "dictionary": dictionary.Dictionary,
    "winomt": winomt.WinoMTPaper,
}
Sink = Callable[[Verdict], None]


def open_set(spec: str) -> ChallengeSet:
    """The challenge set of a name, or of ``custom:FILE.tsv``."""
    name, _, argument = spec.partition(":")
    module = registry.find("sets", name)
    if hasattr(module, "build"):
        return cast(ChallengeSet, module.build(argument))
    return cast(ChallengeSet, module.SET)


def family_of(set_name: str) -> ModuleType:
    """The measures of a set, by the name that results carry; a user's own set need not be there any more."""
    module = registry.find("sets", set_name)
    return registry.find("measures", module.FAMILY if hasattr(module, "build") else module.SET.family)


def open_pair(langs: str, challenge: ChallengeSet) -> Pair:
    """The language pair, checked against the language of the set."""
    pair = parse_pair(langs)
    if pair.source != challenge.source:
        raise InputError(
            f"set {challenge.name} is in {challenge.source}; the pair {langs} translates from {pair.source}"
        )
    return pair


def open_detector(challenge: ChallengeSet, pair: Pair, protocol: str) -> Detector:
    """The detector of a protocol: the paper's own, or ours."""
    if protocol not in PROTOCOLS:
        raise UnknownNameError("protocol", protocol, PROTOCOLS)
    if protocol == "epicene":
        return cascade.Cascade(pair.target)
    if challenge.paper_detector not in _PAPER_DETECTORS:
        raise InputError(f"set {challenge.name} has no protocol 'paper'; use --protocol epicene")
    return _PAPER_DETECTORS[challenge.paper_detector](pair.target)


def signature(challenge: ChallengeSet, pair: Pair, protocol: str, detector: Detector) -> str:
    """One line that says which number this is, so that two labs can compare."""
    parts = (
        challenge.name,
        f"set:{challenge.version()}",
        f"langs:{pair}",
        f"protocol:{protocol}",
        f"detector:{detector.identity}",
        f"v:{__version__}",
    )
    return "|".join(parts)


def score(
    challenge: ChallengeSet,
    pair: Pair,
    outputs: Iterable[Output],
    system: str,
    protocol: str = "epicene",
    sink: Sink | None = None,
) -> Result:
    """Detect and measure; memory does not grow with the number of outputs unless the sink keeps them."""
    detector = open_detector(challenge, pair, protocol)
    family = registry.find("measures", challenge.family)
    tally = Tally(family.key)
    for verdict in tally.watch(detector.detect(outputs)):
        if sink:
            sink(verdict)
    if tally.n == 0:
        raise InputError(f"set {challenge.name} gave no sentence to score")
    return Result(
        set=challenge.name,
        langs=str(pair),
        system=system,
        protocol=protocol,
        signature=signature(challenge, pair, protocol, detector),
        n=tally.n,
        genders=tally.genders(),
        empty=tally.empty,
        measures=tuple(family.measures(tally)),
    )


def outputs_of_file(challenge: ChallengeSet, pair: Pair, hypotheses: Hypotheses) -> Iterator[Output]:
    """Outputs from a file of translations, checked against the set as they are read."""
    for item, text in hypotheses.paired(challenge.items(pair), pair.target):
        yield Output(item, hypotheses.name, pair.target, text)


def outputs_of_system(
    items: Sequence[Item], pair: Pair, spec: str, cache: Cache | None, progress: local.Progress | None = None
) -> tuple[list[Output], Decoding | None]:
    """Outputs from a system, translated now or taken from the cache, and how long it took for those translated now."""
    system = systems.load(spec)
    if getattr(system, "positional", False):
        file = Hypotheses(system.path)  # type: ignore[attr-defined]
        return [Output(item, file.name, pair.target, text) for item, text in file.paired(items, pair.target)], None
    timed = Timed(system)
    texts = local.translate(timed, [item.source for item in items], pair, cache, progress)
    outputs = [Output(item, system.identity, pair.target, text) for item, text in zip(items, texts, strict=True)]
    return outputs, timed.decoding
