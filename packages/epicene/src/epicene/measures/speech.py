"""What becomes of recordings: words, names and pronouns written down, where errors come from, voices compared."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import fmean
from typing import NamedTuple

from epicene.errors import MissingExtraError
from epicene.languages.english import joined
from epicene.measures.outcomes import Clusters, Outcomes
from epicene.measures.quality import bleu
from epicene.measures.rates import Measures
from epicene.stats import clustered
from epicene.stats.rates import holm
from epicene.tables import table
from epicene.types import Attribution, ErrorSource, Gender, Hearing, Item, Measure, Verdict

GOLD = {Gender.FEMININE: "female", Gender.MASCULINE: "male", Gender.NEUTRAL: "neutral"}
VOICE, SPEAKER = "voice:", "speaker:"
SPEAKERS = ("female", "male")
# Voices of each gender, below which there is no p of women's and men's voices: with three, the most extreme of all 20
# ways to part them is one of two, p = .1.
_FEWEST_VOICES = 4
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# What became of the cue, as examples say it.
IN_WORDS = {
    Hearing.KEPT: "the cue was there",
    Hearing.CHANGED: "the cue was changed",
    Hearing.LOST: "the cue was lost",
    Hearing.NOBODY: "the cue was there, but not the person",
}


class Transcript(NamedTuple):
    """A sentence beside what was written down of it."""

    errors: int  # words substituted, deleted and inserted
    words: int  # of the sentence
    spelt: bool  # the words for the person stand there as they were said
    pronoun: Hearing | None  # kept, changed or lost: the words that tell the gender; None where none was said

    @property
    def cue(self) -> Hearing:
        """Whether one can still tell the person's gender."""
        pronoun = self.pronoun or Hearing.KEPT
        return Hearing.NOBODY if pronoun is Hearing.KEPT and not self.spelt else pronoun


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
    cause: Attribution | None = None
    translated: tuple[str, str] | None = None  # by the system and by people, where there is such a translation
    gender: Gender | None = None  # that the translation shows

    @property
    def spelt(self) -> bool:
        """Whether the words for the person were written down."""
        return self.heard is not None and self.heard.spelt

    @property
    def pronoun(self) -> Hearing | None:
        """What became of the words that tell the gender; None where none was said, or nothing was written down."""
        return self.heard.pronoun if self.heard else None

    @property
    def origin(self) -> ErrorSource | None:
        """Where an error comes from, if there is one in a cascade."""
        return self.cause.origin if self.cause else None

    @property
    def disturbed(self) -> bool:
        """Whether the translator gets the sentence itself right: errors beside the cue put it off."""
        return self.cause is not None and GOLD.get(self.cause.written) == self.gold


Counted = Callable[[Utterance], bool]
Tests = Mapping[str, Callable[[Utterance], float | None]]  # a number of a recording by name; None: it has none


class Rate(NamedTuple):
    """A share: what is counted, among what."""

    name: str
    counted: Counted
    among: Counted = lambda _: True


def _has_pronoun(utterance: Utterance) -> bool:
    return utterance.pronoun is not None


def _is(*origins: ErrorSource) -> Counted:
    return lambda utterance: utterance.origin in origins


_WRONG = _is(ErrorSource.RECOGNITION, ErrorSource.TRANSLATION, ErrorSource.BOTH)
RECOGNITION = (
    Rate("misspelt", lambda one: not one.spelt),
    Rate("asr_accuracy", lambda one: one.spelt and one.pronoun is Hearing.KEPT, _has_pronoun),
    Rate("pronoun", lambda one: one.pronoun is Hearing.KEPT, _has_pronoun),
    Rate("pronoun_spelt", lambda one: one.pronoun is Hearing.KEPT, lambda one: one.spelt and _has_pronoun(one)),
    Rate("pronoun_changed", lambda one: one.pronoun is Hearing.CHANGED, _has_pronoun),
)
ATTRIBUTION = (
    Rate("from_recognition", _is(ErrorSource.RECOGNITION), _WRONG),
    Rate("from_translation", _is(ErrorSource.TRANSLATION), _WRONG),
    Rate("from_both", _is(ErrorSource.BOTH), _WRONG),
    Rate("disturbed", lambda one: one.disturbed, _is(ErrorSource.TRANSLATION)),
    Rate("luck", _is(ErrorSource.LUCK), lambda one: one.right is True),
)
# What the speaker's gender might change. Of misspelt names and word errors, less is better.
_TESTS: Tests = {
    "accuracy": lambda one: None if one.right is None else float(one.right),
    "pronoun": lambda one: float(one.pronoun is Hearing.KEPT) if one.pronoun else None,
    "misspelt": lambda one: float(not one.spelt) if one.heard else None,
    "wer": lambda one: one.heard.errors / one.heard.words if one.heard and one.heard.words else None,
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
    """Counts what became of recordings, beside the outcomes of their verdicts."""

    def __init__(self, measures: Measures) -> None:
        self._measures = measures
        self._utterances: list[Utterance] = []
        self._outcomes: dict[str, Outcomes] = {}

    def add(self, verdict: Verdict) -> None:
        """Count a verdict on a recording."""
        item, heard = verdict.output.item, verdict.output.heard
        human = item.labels.get("translation")
        recorded = replace(
            utterance(item, heard.transcript if heard else None),
            right=verdict.right,
            cause=verdict.cause,
            translated=(verdict.output.as_written, human) if human else None,
            gender=verdict.gender,
        )
        self._utterances.append(recorded)
        for group in (VOICE + recorded.voice, SPEAKER + recorded.speaker):
            self._outcomes.setdefault(group, Outcomes(self._measures)).add(verdict)

    def measures(self) -> list[Measure]:
        """All that is known of the recordings; nothing where there were none."""
        part = self._utterances
        return [*self._by_voice(), *recognition(part), *attribution(part), *speaker_gaps(part), *quality(part)]

    def _by_voice(self) -> Iterator[Measure]:
        """The set's own measures for each voice and for women's and men's voices; only the main ones are printed."""
        for group in _voices(self._utterances):
            for measure in self._measures.compute(self._outcomes[group]):
                if measure.group == "all":
                    yield replace(measure, group=group)
                else:
                    yield replace(measure, group=f"{measure.group} {group}", detail=True)


def recognition(utterances: Sequence[Utterance]) -> list[Measure]:
    """Word error rate and what became of names and pronouns: whole, by gender, by voice and by speaker's gender."""
    measures = []
    for group, part in _groups([one for one in utterances if one.heard]):
        measures += [_word_error_rate(group, part), *(_measure(rate, group, part) for rate in RECOGNITION)]
    return measures


def attribution(utterances: Sequence[Utterance]) -> list[Measure]:
    """Where errors come from, as shares of the wrong verdicts, and how many right ones were luck."""
    measures = []
    for group, part in _groups([one for one in utterances if one.cause]):
        undetected = sum(one.origin is ErrorSource.UNDETECTED for one in part)
        rates = [_measure(rate, group, part) for rate in ATTRIBUTION]
        measures += [replace(rate, excluded=undetected) if rate.name.startswith("from_") else rate for rate in rates]
    return measures


def quality(utterances: Sequence[Utterance]) -> list[Measure]:
    """BLEU where people have translated the sentences: whole, by voice and by speaker's gender."""
    groups = _groups([one for one in utterances if one.translated])
    return [
        bleu(group, [one.translated for one in part if one.translated])
        for group, part in groups
        if group not in GOLD.values()
    ]


def speaker_gaps(utterances: Sequence[Utterance], tests: Tests = _TESTS) -> list[Measure]:
    """Women's voices less men's, on the sentences that both have spoken; p after Holm, given enough voices."""
    voices = Counter(speaker for speaker, _ in {(one.speaker, one.voice) for one in utterances})
    are_many = all(voices[speaker] >= _FEWEST_VOICES for speaker in SPEAKERS)
    measures = []
    for name, value in tests.items():
        numbers: defaultdict[str, dict[str, list[float]]] = defaultdict(lambda: {speaker: [] for speaker in SPEAKERS})
        occupations: dict[str, str] = {}
        for one in utterances:
            if one.speaker in SPEAKERS and (number := value(one)) is not None:
                numbers[one.sentence][one.speaker].append(number)
                occupations[one.sentence] = one.occupation
        both = {sentence: said for sentence, said in numbers.items() if all(said.values())}
        gaps = [100 * (fmean(said["female"]) - fmean(said["male"])) for said in both.values()]
        if gap := paired_gap(name, gaps, [occupations[sentence] for sentence in both]):
            if name != "wer" and gap.low is not None and gap.high is not None:
                gap = replace(gap, low=max(-100.0, gap.low), high=min(100.0, gap.high))
            measures.append(gap if are_many else replace(gap, p=None))
    adjusted = iter(holm([measure.p for measure in measures if measure.p is not None]))
    return [measure if measure.p is None else replace(measure, p=next(adjusted)) for measure in measures]


def paired_gap(name: str, differences: Sequence[float], occupations: Sequence[str]) -> Measure | None:
    """First less second in points, averaged over sentences, with a p that agrees with the interval; None of none."""
    n = len(differences)
    if not n:
        return None
    if not any(differences):
        # Where nothing differs, as many as three in n might have, unseen (the rule of three).
        return Measure("speaker_gap", name, 0.0, "points", n, None, -300 / n, 300 / n, 1.0)
    clusters = Clusters.of((occupation, "") for occupation in occupations)
    share = clusters.share((occupation, gap, 1) for occupation, gap in zip(occupations, differences, strict=True))
    estimate = clustered.mean(share, clusters.design)
    value, p, ends = float(estimate.value), estimate.p_value(), estimate.ends(1.0)
    why = estimate.why or None
    return Measure("speaker_gap", name, value, "points", n, None, *ends, None if p is None else float(p), why=why)


def _groups(utterances: Sequence[Utterance]) -> Iterator[tuple[str, list[Utterance]]]:
    if not utterances:
        return
    yield "all", list(utterances)
    for gold in GOLD.values():
        if part := [one for one in utterances if one.gold == gold]:
            yield gold, part
    for group in _voices(utterances):
        kind, _, name = group.partition(":")
        yield group, [one for one in utterances if getattr(one, kind) == name]


def _voices(utterances: Sequence[Utterance]) -> list[str]:
    """Voices and speakers' genders, where there are several of them."""
    voices = sorted({VOICE + one.voice for one in utterances})
    speakers = sorted({SPEAKER + one.speaker for one in utterances})
    return [group for groups in (voices, speakers) if len(groups) > 1 for group in groups]


def _measure(rate: Rate, group: str, utterances: Sequence[Utterance]) -> Measure:
    among = [one for one in utterances if rate.among(one)]
    clusters = Clusters.of((one.occupation, "") for one in among)
    return clusters.rate(rate.name, group, clusters.share((one.occupation, rate.counted(one), 1) for one in among))


def _word_error_rate(group: str, utterances: Sequence[Utterance]) -> Measure:
    """Errors by words; words that were added may make more errors than there are words."""
    counts = [(one.occupation, one.heard.errors, one.heard.words) for one in utterances if one.heard]
    clusters = Clusters.of((occupation, "") for occupation, _, _ in counts)
    share = clusters.share(counts)
    if (share.counted <= share.of).all():
        return replace(clusters.rate("wer", group, share), n=len(counts), count=None)
    mean = clusters.mean("wer", group, "%", share, len(counts), scale=100.0)
    return mean if mean.low is None else replace(mean, low=max(0.0, mean.low))


def words(text: str) -> list[str]:
    """The words as word error rates compare them: lower case, no punctuation, hyphens as blanks, genitives joined."""
    return _WORD.findall(joined(unicodedata.normalize("NFKC", text).replace("’", "'").lower()))


def compared(item: Item, transcript: str) -> Transcript:
    """A sentence and what was written down of it."""
    said, heard = words(item.source), words(transcript)
    errors, opposite = _align(said, heard)
    pronoun = _trace_pronoun(item.expected, said, heard, opposite)
    return Transcript(errors, len(said), _names(heard, item.person.text), pronoun)


def _align(said: Sequence[str], heard: Sequence[str]) -> tuple[int, dict[int, int]]:
    """Word errors, and which words of the sentence and of the transcript stand opposite each other."""
    try:
        import jiwer
    except ImportError:
        raise MissingExtraError("comparing transcripts with what was said", "speech") from None
    errors, opposite = 0, dict[int, int]()
    for chunk in jiwer.process_words(" ".join(said), " ".join(heard)).alignments[0] if said else ():
        mine = range(chunk.ref_start_idx, chunk.ref_end_idx)
        theirs = range(chunk.hyp_start_idx, chunk.hyp_end_idx)
        if chunk.type in ("equal", "substitute"):
            opposite |= dict(zip(mine, theirs, strict=True))
        if chunk.type != "equal":
            errors += max(len(mine), len(theirs))
    return errors, opposite


def _names(heard: Sequence[str], person: str) -> bool:
    """Whether the words for a person stand in a transcript; where it cuts compounds does not matter.

    Nor does it matter whether something is said to be theirs: "the nurse's" names the nurse.
    """
    wanted = _run_together(words(person))
    for start in range(len(heard)):
        for end in range(start + 1, len(heard) + 1):
            joint = _run_together(heard[start:end])
            if wanted in (joint, _run_together([*heard[start : end - 1], heard[end - 1].removesuffix("'s")])):
                return True
            if len(joint) > len(wanted) + 1:
                break
    return False


def _run_together(parts: Sequence[str]) -> str:
    return "".join(parts).replace("'", "")


@cache
def _genders() -> dict[str, Gender]:
    return {row["word"]: Gender(row["gender"]) for row in table("speech/tables", "cues.tsv")}


def gender_of(word: str) -> Gender | None:
    """The gender that an English word tells, "she's" as "she"."""
    return _genders().get(word.partition("'")[0])


def _trace_pronoun(
    expected: Gender | None, said: Sequence[str], heard: Sequence[str], opposite: Mapping[int, int]
) -> Hearing | None:
    """What the words of the expected gender have become: each is looked up where it stood, then elsewhere."""
    cues = [index for index, word in enumerate(said) if expected is not None and gender_of(word) is expected]
    if not cues:
        return None
    now = [gender_of(heard[opposite[index]]) if index in opposite else None for index in cues]
    if any(gender not in (expected, None) for gender in now):
        return Hearing.CHANGED
    if expected in now:
        return Hearing.KEPT
    taken = {there for here, there in opposite.items() if gender_of(said[here]) is gender_of(heard[there])}
    # Not where it stood; it may stand elsewhere. "They" is often a misheard "the", so it says nothing here.
    new = {gender_of(word) for index, word in enumerate(heard) if index not in taken} - {None, Gender.NEUTRAL}
    return Hearing.KEPT if new == {expected} else Hearing.LOST


def attribute(item: Item, transcript: str, spoken: Gender, written: Gender) -> Attribution:
    """Why a cascade's verdict is what it is; ``written`` is read from its translation of the sentence itself."""
    cue = compared(item, transcript).cue
    return Attribution(_find_origin(cue is Hearing.KEPT, spoken, written, item.expected), cue, written)


def _find_origin(cue_kept: bool, spoken: Gender, written: Gender, expected: Gender | None) -> ErrorSource:
    if spoken is expected:
        return ErrorSource.RIGHT if cue_kept else ErrorSource.LUCK
    if spoken is Gender.UNKNOWN and (cue_kept or written is Gender.UNKNOWN):
        return ErrorSource.UNDETECTED
    if cue_kept:
        return ErrorSource.TRANSLATION
    return ErrorSource.RECOGNITION if written in (expected, Gender.UNKNOWN) else ErrorSource.BOTH
