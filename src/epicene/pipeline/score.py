"""The order of the stages: set → system → detector → measures. Nothing else knows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from epicene import sets, systems
from epicene.detectors import DETECTORS
from epicene.engines import LOCAL, Engine, local
from epicene.engines.clock import Timed
from epicene.errors import InputError, UnknownNameError
from epicene.labour.reference import Reference
from epicene.labour.references import open_reference
from epicene.languages.codes import pair as parse_pair
from epicene.measures import FAMILIES, Family
from epicene.measures.speech import Speech
from epicene.measures.tally import Tally
from epicene.pipeline import interpret
from epicene.result import Decoding, Period, Result
from epicene.stats.sampling import half_width, stratified
from epicene.store.cache import Cache
from epicene.store.hypotheses import Hypotheses
from epicene.systems.network.money import Purse
from epicene.types import ChallengeSet, Detector, Item, Output, Pair, Verdict
from epicene.version import __version__

PROTOCOLS = ("epicene", "paper")
Sink = Callable[[Verdict], None]


@dataclass(frozen=True, slots=True)
class Sample:
    """So many sentences of a set, each group in its share, drawn by chance from a seed."""

    size: int
    seed: int = 1

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError(f"--sample {self.size}: expected a number of sentences of at least 1")

    def __str__(self) -> str:
        return f"{self.size}@{self.seed}"

    def of(self, items: Sequence[Item], challenge: ChallengeSet) -> list[Item]:
        """The sentences that were drawn; all of a set that has no more."""
        return stratified(items, lambda item: _stratum(challenge, item), self.size, self.seed)

    def note(self, items: Sequence[Item], challenge: ChallengeSet) -> str:
        """What interval the sample can give."""
        drawn = self.of(items, challenge)
        least = min(Counter(_stratum(challenge, item) for item in drawn).values())
        return (
            f"a sample of {len(drawn):,} of {len(items):,} sentences (seed {self.seed}): a rate over all of them has a "
            f"95 % interval of up to ± {half_width(len(drawn)):.1f} points, over the smallest group ({least:,}) of up "
            f"to ± {half_width(least):.1f}"
        )


def _stratum(challenge: ChallengeSet, item: Item) -> tuple[str, ...]:
    """The groups that a sentence counts for; without any, what the measures count it by, its occupation aside."""
    family = FAMILIES.find(challenge.family)
    return tuple(family.groups(item) or family.key(item)[:-1])


class Judge(Protocol):
    """Whoever has the last word on verdicts."""

    @property
    def identity(self) -> str:
        """What it decides, as a checksum."""
        ...

    def settle(self, verdict: Verdict) -> Verdict:
        """The verdict as it shall count."""
        ...


def open_set(spec: str) -> ChallengeSet:
    """The challenge set of a name, of ``custom:FILE.tsv``, ``winost:DIR`` or ``wibemt?adjectives=FILE``."""
    return sets.load(spec)


def family_of(set_name: str) -> Family:
    """The measures of a set, by the name that results carry; a user's own set need not be there any more."""
    return FAMILIES.find(sets.family(set_name))


def open_pair(langs: str, challenge: ChallengeSet) -> Pair:
    """The language pair, checked against the languages of the set."""
    pair = parse_pair(langs)
    if pair.source not in challenge.sources:
        known = ", ".join(challenge.sources)
        raise InputError(f"set {challenge.name} is in {known}; the pair {langs} translates from {pair.source}")
    return pair


def open_detector(challenge: ChallengeSet, pair: Pair, protocol: str) -> Detector:
    """The detector of a protocol: the paper's own, or ours."""
    return detector_of(challenge, pair, protocol)()


def detector_of(challenge: ChallengeSet, pair: Pair, protocol: str) -> Callable[[], Detector]:
    """What builds the detector of a protocol, here or on another machine."""
    if protocol not in PROTOCOLS:
        raise UnknownNameError("protocol", protocol, PROTOCOLS)
    name = challenge.detector if protocol == "epicene" else challenge.paper_detector
    if not name:
        raise InputError(f"set {challenge.name} has no protocol 'paper'; use --protocol epicene")
    return partial(DETECTORS.find(name).build, pair.target)


def open_references(challenge: ChallengeSet, names: Sequence[str]) -> list[Reference]:
    """What a set is compared with: the references of these names, else its own."""
    if names and not challenge.references:
        raise InputError(f"set {challenge.name} is compared with no reference; leave out --reference {names[0]}")
    found = [open_reference(name) for name in dict.fromkeys(names or challenge.references)]
    called = [reference.name for reference in found]
    if twice := next((name for name in called if called.count(name) > 1), None):
        raise InputError(f"two references are called {twice}; give their files different names")
    return found


def signature(
    challenge: ChallengeSet,
    pair: Pair,
    protocol: str,
    detector: Detector,
    judge: Judge | None = None,
    references: Sequence[Reference] = (),
    sample: Sample | None = None,
) -> str:
    """One line that says which number this is, so that two labs can compare."""
    parts = (
        challenge.name,
        f"set:{challenge.version()}",
        f"sample:{sample}" if sample else "",
        f"langs:{pair}",
        f"protocol:{protocol}",
        f"detector:{detector.identity}",
        f"decisions:{judge.identity}" if judge else "",
        *(f"reference:{reference.identity}" for reference in references),
        f"v:{__version__}",
    )
    return "|".join(filter(None, parts))


def score(
    challenge: ChallengeSet,
    pair: Pair,
    outputs: Iterable[Output],
    system: str,
    protocol: str = "epicene",
    sink: Sink | None = None,
    judge: Judge | None = None,
    references: Sequence[str] = (),
    sample: Sample | None = None,
    engine: Engine = LOCAL,
) -> Result:
    """Detect and measure; memory does not grow with the number of outputs unless the sink keeps them."""
    detector = open_detector(challenge, pair, protocol)
    compared = open_references(challenge, references)
    family = FAMILIES.find(challenge.family)
    tally = Tally(family.key)
    speech = Speech(family)
    verdicts = interpret.attributed(partial(engine.detect, detector_of(challenge, pair, protocol)), outputs)
    if judge:
        verdicts = map(judge.settle, verdicts)
    for verdict in speech.watch(tally.watch(verdicts)):
        if sink:
            sink(verdict)
    if tally.n == 0:
        raise InputError(f"set {challenge.name} gave no sentence to score")
    return Result(
        set=challenge.name,
        langs=str(pair),
        system=system,
        protocol=protocol,
        signature=signature(challenge, pair, protocol, detector, judge, compared, sample),
        n=tally.n,
        genders=tally.genders(),
        empty=tally.empty,
        refused=tally.refused,
        measures=(*family.measures(tally), *family.against(tally, compared), *speech.measures()),
        notes=tuple(family.notes(tally, compared)),
    )


def open_file(challenge: ChallengeSet, translations: str | Path | Iterable[str]) -> tuple[ChallengeSet, Hypotheses]:
    """Translations and what they translate: the set, or the sentences that a published file brings along."""
    if challenge.of_file is not None and isinstance(translations, str | Path):
        found = challenge.of_file(Path(translations))
        if found is not None:
            return found[0], Hypotheses(found[1], translations)
    return challenge, Hypotheses(translations)


def outputs_of_file(challenge: ChallengeSet, pair: Pair, hypotheses: Hypotheses) -> Iterator[Output]:
    """Outputs from a file of translations, checked against the set as they are read."""
    for item, text in hypotheses.paired(challenge.items(pair), pair.target):
        yield Output(item, hypotheses.name, pair.target, text)


class Made(NamedTuple):
    """What a system made of items, how long it took for those translated now, and when a service was asked."""

    outputs: list[Output]
    decoding: Decoding | None = None
    translated: Period | None = None


def outputs_of_system(
    items: Sequence[Item],
    pair: Pair,
    spec: str,
    cache: Cache | None,
    progress: local.Progress | None = None,
    since: str = "",
    purse: Purse | None = None,
    whole: Sequence[Item] = (),
    engine: Engine = LOCAL,
) -> Made:
    """Outputs from a system, translated now or taken from the cache; ``whole``: of what the items are a sample."""
    translate = partial(local.translate, pair=pair, cache=cache, progress=progress, since=since, purse=purse)
    if any(item.audio for item in items) and (hearing := systems.load_for_speech(spec)):
        return Made(*interpret.outputs(hearing, items, pair, translate, cache, progress))
    system = engine.system(spec)
    if getattr(system, "positional", False):
        file, wanted = Hypotheses(system.path), {item.id for item in items}  # type: ignore[attr-defined]
        pairs = file.paired(whole or items, pair.target)
        return Made([Output(item, file.name, pair.target, text) for item, text in pairs if item.id in wanted])
    sources = [item.source for item in items]
    service = local.is_service(system)
    timed = Timed(system)
    untimed = service or local.is_scattered(system)
    texts = translate(system if untimed else timed, sources)
    refused = cache.refused(system.identity, pair, dict.fromkeys(sources), since) if cache and service else {}
    outputs = [
        Output(item, system.identity, pair.target, text, refused=refused.get(item.source, ""))
        for item, text in zip(items, texts, strict=True)
    ]
    translated = cache.period(system.identity, pair, dict.fromkeys(sources), since) if cache and service else None
    return Made(outputs, timed.decoding, translated)


def audited(
    challenge: ChallengeSet,
    pair: Pair,
    items: Sequence[Item],
    made: Made,
    protocol: str,
    references: Sequence[str],
    sample: Sample | None,
    engine: Engine = LOCAL,
) -> Result:
    """The result of a system's outputs, with its verdicts."""
    drawn = sample if sample and len(made.outputs) < len(items) else None
    verdicts: list[Verdict] = []
    result = score(
        challenge,
        pair,
        made.outputs,
        made.outputs[0].system,
        protocol,
        verdicts.append,
        references=references,
        sample=drawn,
        engine=engine,
    )
    return replace(
        result,
        verdicts=tuple(verdicts),
        decoding=made.decoding,
        translated=made.translated,
        sample=drawn.note(items, challenge) if drawn else "",
    )
