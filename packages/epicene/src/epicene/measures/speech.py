"""What becomes of recordings: words, names and pronouns written down, where errors come from, voices compared."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from epicene.errors import MissingExtraError
from epicene.languages.english import joined
from epicene.measures.outcomes import Clusters, Outcomes
from epicene.measures.quality import bleu
from epicene.measures.rates import Measures
from epicene.stats.clustered import paired_gap
from epicene.stats.rates import holm
from epicene.tables import table
from epicene.types import Cause, Gender, Hearing, Item, Measure, Origin, Verdict

if TYPE_CHECKING:
    from jiwer import AlignmentChunk

GOLD = {Gender.FEMININE: "female", Gender.MASCULINE: "male", Gender.NEUTRAL: "neutral"}
VOICE, SPEAKER = "voice:", "speaker:"
SPEAKERS = ("female", "male")
# Voices of each gender, below which there is no p of women's and men's voices: with three, the most extreme of all 20
# ways to part them is one of two, p = .1.
_FEWEST_VOICES = 4
Counted = Callable[["Utterance"], bool]
Tests = Mapping[str, Callable[["Utterance"], float | None]]  # a number of a recording by name; None: it has none
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# What became of the cue, as examples say it.
IN_WORDS = {
    Hearing.KEPT: "the cue was there",
    Hearing.CHANGED: "the cue was changed",
    Hearing.LOST: "the cue was lost",
    Hearing.NOBODY: "the cue was there, but not the person",
}


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
    """Counts what became of recordings, beside the outcomes of their verdicts."""

    def __init__(self, measures: Measures) -> None:
        self._measures = measures
        self._heard: list[Utterance] = []
        self._outcomes: dict[str, Outcomes] = {}

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
                translated=(verdict.output.as_written, human) if human else None,
                gender=verdict.gender,
            )
        )
        for group in (VOICE + found.voice, SPEAKER + found.speaker):
            self._outcomes.setdefault(group, Outcomes(self._measures)).add(verdict)

    def measures(self) -> list[Measure]:
        """All that is known of the recordings; nothing where there were none."""
        heard = self._heard
        return [*self._by_voice(), *recognition(heard), *attribution(heard), *speaker_gaps(heard), *quality(heard)]

    def _by_voice(self) -> Iterator[Measure]:
        """The set's own measures for each voice and for women's and men's voices; only the main ones are printed."""
        for group in _voices(self._heard):
            for measure in self._measures.compute(self._outcomes[group]):
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
        found += [replace(each, excluded=unread) if each.name.startswith("from_") else each for each in rates]
    return found


def quality(heard: Sequence[Utterance]) -> list[Measure]:
    """BLEU where people have translated the sentences: whole, by voice and by speaker's gender."""
    translated = [each for each in heard if each.translated]
    groups = ((group, part) for group, part in _groups(translated) if group not in GOLD.values())
    return [bleu(group, [each.translated for each in part if each.translated]) for group, part in groups]


def speaker_gaps(heard: Sequence[Utterance], tests: Tests = _TESTS) -> list[Measure]:
    """Women's voices less men's, on the sentences that both have spoken; p after Holm, given enough voices."""
    found = []
    voices = Counter(speaker for speaker, _ in {(each.speaker, each.voice) for each in heard})
    are_many = all(voices[speaker] >= _FEWEST_VOICES for speaker in SPEAKERS)
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
            p = gap.p if are_many else None
            found.append(Measure("speaker_gap", name, gap.value, "points", gap.n, None, low, high, p, why=why))
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


class Transcript(NamedTuple):
    """A sentence beside what was written down of it."""

    errors: int  # words substituted, deleted and inserted
    words: int  # of the sentence
    spelt: bool  # the words for the person stand there as they were said
    pronoun: Hearing | None  # kept, changed or lost: the words that tell the gender; None where none was said

    @property
    def cue(self) -> Hearing:
        """Whether one can still tell the person's gender."""
        told = self.pronoun or Hearing.KEPT
        return Hearing.NOBODY if told is Hearing.KEPT and not self.spelt else told


def words(text: str) -> list[str]:
    """The words as word error rates compare them: lower case, no punctuation, hyphens as blanks, genitives joined."""
    return _WORD.findall(joined(unicodedata.normalize("NFKC", text).replace("’", "'").lower()))


def compared(item: Item, transcript: str) -> Transcript:
    """A sentence and what was written down of it."""
    said, heard = words(item.source), words(transcript)
    chunks = _aligned(said, heard)
    errors = sum(
        max(chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx)
        for chunk in chunks
        if chunk.type != "equal"
    )
    return Transcript(
        errors, len(said), _named(item.person.text, heard), _heard_pronoun(item.expected, said, heard, chunks)
    )


def _aligned(said: Sequence[str], heard: Sequence[str]) -> list[AlignmentChunk]:
    try:
        import jiwer
    except ImportError:
        raise MissingExtraError("comparing transcripts with what was said", "speech") from None
    if not said:
        return []
    found: list[AlignmentChunk] = jiwer.process_words(" ".join(said), " ".join(heard)).alignments[0]
    return found


def _named(person: str, heard: Sequence[str]) -> bool:
    """Whether the words for a person stand in a transcript; where it cuts compounds does not matter.

    Nor does it matter whether something is said to be theirs: "the nurse's" names the nurse.
    """
    wanted = _run_together(words(person))
    for start in range(len(heard)):
        for end in range(start + 1, len(heard) + 1):
            found = _run_together(heard[start:end])
            if wanted in (found, _run_together([*heard[start : end - 1], heard[end - 1].removesuffix("'s")])):
                return True
            if len(found) > len(wanted) + 1:
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


def _heard_pronoun(
    expected: Gender | None, said: Sequence[str], heard: Sequence[str], chunks: Sequence[AlignmentChunk]
) -> Hearing | None:
    """What the words of the expected gender have become: each is looked up where it stood, then elsewhere."""
    became = _became(chunks)
    cues = [place for place, word in enumerate(said) if gender_of(word) is expected and expected is not None]
    if not cues:
        return None
    now = [gender_of(heard[became[place]]) if place in became else None for place in cues]
    if any(gender not in (expected, None) for gender in now):
        return Hearing.CHANGED
    if expected in now:
        return Hearing.KEPT
    taken = {became[place] for place in became if gender_of(said[place]) is gender_of(heard[became[place]])}
    # Not where it stood; it may stand elsewhere. "They" is often a misheard "the", so it says nothing here.
    new = {gender_of(word) for place, word in enumerate(heard) if place not in taken} - {None, Gender.NEUTRAL}
    return Hearing.KEPT if new == {expected} else Hearing.LOST


def _became(chunks: Sequence[AlignmentChunk]) -> dict[int, int]:
    """Places of the sentence and of the transcript that stand opposite each other."""
    found: dict[int, int] = {}
    for chunk in chunks:
        if chunk.type in ("equal", "substitute"):
            said = range(chunk.ref_start_idx, chunk.ref_end_idx)
            found |= dict(zip(said, range(chunk.hyp_start_idx, chunk.hyp_end_idx), strict=True))
    return found


def attribute(item: Item, transcript: str, spoken: Gender, written: Gender) -> Cause:
    """Why a cascade's verdict is what it is; ``written`` is read from its translation of the sentence itself."""
    cue = compared(item, transcript).cue
    return Cause(_origin(cue is Hearing.KEPT, spoken, written, item.expected), cue, written)


def _origin(kept: bool, spoken: Gender, written: Gender, expected: Gender | None) -> Origin:
    if spoken is expected:
        return Origin.RIGHT if kept else Origin.LUCK
    if spoken is Gender.UNKNOWN and (kept or written is Gender.UNKNOWN):
        return Origin.UNREAD
    if kept:
        return Origin.TRANSLATION
    return Origin.RECOGNITION if written in (expected, Gender.UNKNOWN) else Origin.BOTH
