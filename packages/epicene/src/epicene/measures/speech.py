"""Measures of spoken sentences: what was heard of them, by whose voice, and where a cascade's errors come from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from epicene.measures import Family
from epicene.measures.inference import Clusters
from epicene.measures.quality import bleu
from epicene.measures.recognition import Transcript, compared
from epicene.measures.tally import Tally
from epicene.stats.clustered import paired_gap
from epicene.stats.rates import holm
from epicene.types import Cause, Gender, Hearing, Item, Measure, Origin, Verdict

GOLD = {Gender.FEMININE: "female", Gender.MASCULINE: "male", Gender.NEUTRAL: "neutral"}
VOICE, SPEAKER = "voice:", "speaker:"
SPEAKERS = ("female", "male")
Counted = Callable[["Utterance"], bool]
Tests = Mapping[str, Callable[["Utterance"], float | None]]  # a number of a recording by name; None: it has none


@dataclass(frozen=True, slots=True)
class Utterance:
    """A recording, and what came of it; small, so that many can be kept."""

    sentence: str
    voice: str
    speaker: str
    gold: str
    occupation: str
    heard: Transcript | None = None  # None for a system that writes nothing down
    right: bool | None = None  # None where nothing was translated
    cause: Cause | None = None
    translated: tuple[str, str] | None = None  # by the system and by people, where there is such a translation
    gender: Gender | None = None  # that the translation shows


class Rate(NamedTuple):
    """A share: what is counted, among what."""

    name: str
    counted: Counted
    among: Counted = lambda _: True


def _pronoun(each: Utterance) -> Hearing | None:
    return each.heard.pronoun if each.heard else None


def _told(each: Utterance) -> bool:
    return _pronoun(each) is not None


def _spelt(each: Utterance) -> bool:
    return each.heard is not None and each.heard.spelt


def _from(origin: Origin) -> Counted:
    return lambda each: each.cause is not None and each.cause.origin is origin


def _wrong(each: Utterance) -> bool:
    return each.cause is not None and each.cause.origin in (Origin.RECOGNITION, Origin.TRANSLATION, Origin.BOTH)


def _disturbed(each: Utterance) -> bool:
    """The translator gets the sentence itself right: errors beside the cue put it off."""
    return each.cause is not None and GOLD.get(each.cause.written) == each.gold


RECOGNITION = (
    Rate("misspelt", lambda each: not _spelt(each)),
    Rate("asr_accuracy", lambda each: _spelt(each) and _pronoun(each) is Hearing.KEPT, _told),
    Rate("pronoun", lambda each: _pronoun(each) is Hearing.KEPT, _told),
    Rate("pronoun_spelt", lambda each: _pronoun(each) is Hearing.KEPT, lambda each: _spelt(each) and _told(each)),
    Rate("pronoun_changed", lambda each: _pronoun(each) is Hearing.CHANGED, _told),
)
ATTRIBUTION = (
    Rate("from_recognition", _from(Origin.RECOGNITION), _wrong),
    Rate("from_translation", _from(Origin.TRANSLATION), _wrong),
    Rate("from_both", _from(Origin.BOTH), _wrong),
    Rate("disturbed", _disturbed, _from(Origin.TRANSLATION)),
    Rate("luck", _from(Origin.LUCK), lambda each: each.right is True),
)
# What the speaker's gender might change. Of misspelt names and word errors, less is better.
_TESTS: Tests = {
    "accuracy": lambda each: None if each.right is None else float(each.right),
    "pronoun": lambda each: float(_pronoun(each) is Hearing.KEPT) if _told(each) else None,
    "misspelt": lambda each: float(not _spelt(each)) if each.heard else None,
    "wer": lambda each: each.heard.errors / each.heard.words if each.heard and each.heard.words else None,
}


def utterance(item: Item, transcript: str | None = None) -> Utterance:
    """A recording of a sentence, and what was written down of it."""
    labels = item.labels
    return Utterance(
        labels["sentence"],
        labels["voice"],
        labels["speaker"],
        GOLD.get(item.expected, "") if item.expected else "",
        labels.get("occupation") or item.person.concept,
        None if transcript is None else compared(item, transcript),
    )


class Speech:
    """Counts what became of recordings, beside the tally of their verdicts."""

    def __init__(self, family: Family) -> None:
        self._family = family
        self._heard: list[Utterance] = []
        self._tallies: dict[str, Tally] = {}

    def add(self, verdict: Verdict) -> None:
        """Count a verdict on a recording."""
        item, heard = verdict.output.item, verdict.output.heard
        found = utterance(item, heard.transcript if heard else None)
        human = item.labels.get("translation")
        self._heard.append(
            replace(
                found,
                right=verdict.right,
                cause=verdict.cause,
                translated=(verdict.output.text, human) if human else None,
                gender=verdict.gender,
            )
        )
        for group in (VOICE + found.voice, SPEAKER + found.speaker):
            self._tallies.setdefault(group, Tally(self._family.key)).add(verdict)

    def measures(self) -> list[Measure]:
        """All that is known of the recordings; nothing where there were none."""
        heard = self._heard
        return [*self._by_voice(), *recognition(heard), *attribution(heard), *speaker_gaps(heard), *quality(heard)]

    def _by_voice(self) -> Iterator[Measure]:
        """The family's own measures for each voice and for women's and men's voices; only the main ones are printed."""
        for group in _voices(self._heard):
            for measure in self._family.measures(self._tallies[group]):
                if measure.group == "all":
                    yield replace(measure, group=group)
                else:
                    yield replace(measure, group=f"{measure.group} {group}", detail=True)


def recognition(heard: Sequence[Utterance]) -> list[Measure]:
    """Word error rate and what became of names and pronouns: whole, by gender, by voice and by speaker's gender."""
    written = [each for each in heard if each.heard]
    found = []
    for group, part in _groups(written):
        found.append(_wer(group, part))
        found += [_rate(rate, group, part) for rate in RECOGNITION]
    return found


def attribution(heard: Sequence[Utterance]) -> list[Measure]:
    """Where errors come from, as shares of the wrong verdicts, and how many right ones were luck."""
    found = []
    for group, part in _groups([each for each in heard if each.cause]):
        unread = sum(map(_from(Origin.UNREAD), part))
        rates = [_rate(rate, group, part) for rate in ATTRIBUTION]
        found += [replace(each, apart=unread) if each.name.startswith("from_") else each for each in rates]
    return found


def quality(heard: Sequence[Utterance]) -> list[Measure]:
    """BLEU where people have translated the sentences: whole, by voice and by speaker's gender."""
    translated = [each for each in heard if each.translated]
    groups = ((group, part) for group, part in _groups(translated) if group not in GOLD.values())
    return [bleu(group, [each.translated for each in part if each.translated]) for group, part in groups]


def speaker_gaps(heard: Sequence[Utterance], tests: Tests = _TESTS) -> list[Measure]:
    """Women's voices less men's, on the sentences that both have spoken; p after Holm."""
    found = []
    for name, value in tests.items():
        sentences: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        occupations: dict[str, str] = {}
        for each in heard:
            if (number := value(each)) is not None:
                sentences[each.sentence][each.speaker].append(number)
                occupations[each.sentence] = each.occupation
        both = {name: said for name, said in sentences.items() if all(said.get(speaker) for speaker in SPEAKERS)}
        gaps = [100 * (_mean(said["female"]) - _mean(said["male"])) for said in both.values()]
        if gap := paired_gap(gaps, [occupations[name] for name in both]):
            low, high = gap.low, gap.high
            if name != "wer" and low is not None and high is not None:
                low, high = max(-100.0, low), min(100.0, high)
            why = gap.why or None
            found.append(Measure("speaker_gap", name, gap.value, "points", gap.n, None, low, high, gap.p, why=why))
    held = iter(holm([measure.p for measure in found if measure.p is not None]))
    return [measure if measure.p is None else replace(measure, p=next(held)) for measure in found]


def _groups(heard: Sequence[Utterance]) -> Iterator[tuple[str, list[Utterance]]]:
    if not heard:
        return
    yield "all", list(heard)
    for gold in GOLD.values():
        if part := [each for each in heard if each.gold == gold]:
            yield gold, part
    for group in _voices(heard):
        kind, _, name = group.partition(":")
        yield group, [each for each in heard if getattr(each, kind) == name]


def _voices(heard: Sequence[Utterance]) -> list[str]:
    """Voices and speakers' genders, where there are several of them."""
    voices = sorted({each.voice for each in heard})
    speakers = sorted({each.speaker for each in heard})
    found = [VOICE + voice for voice in voices] if len(voices) > 1 else []
    return found + ([SPEAKER + speaker for speaker in speakers] if len(speakers) > 1 else [])


def _rate(rate: Rate, group: str, heard: Sequence[Utterance]) -> Measure:
    among = [each for each in heard if rate.among(each)]
    clusters = Clusters.of((each.occupation, "") for each in among)
    return clusters.rate(rate.name, group, clusters.share((each.occupation, rate.counted(each), 1) for each in among))


def _wer(group: str, heard: Sequence[Utterance]) -> Measure:
    """Errors by words; words that were added may make more errors than there are words."""
    counts = [(each.occupation, each.heard.errors, each.heard.words) for each in heard if each.heard]
    clusters = Clusters.of((occupation, "") for occupation, _, _ in counts)
    share = clusters.share(counts)
    if (share.counted <= share.of).all():
        return replace(clusters.rate("wer", group, share), n=len(counts), count=None)
    found = clusters.mean("wer", group, "%", share, len(counts), scale=100.0)
    return found if found.low is None else replace(found, low=max(0.0, found.low))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
