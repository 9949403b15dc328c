"""Whose voice it is: figures by voice, by speakers' gender, by whether a model knows the voice, and paired tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from epicene.measures.speech import SPEAKERS, Utterance, paired_gap, speaker_gaps
from epicene.output.table import Cell, Table, make_columns
from epicene.stats.exact import MOST, partitions
from epicene.types import Gender
from epicene_lab.studies.winost.paper import against_text, cells, heard_of, text_of
from epicene_lab.studies.winost.tracks import TEXT, Track

_WHOSE = {"female": "woman", "male": "man", "unknown": "not told"}
_KNOWN = {True: "seen", False: "unseen"}


def _is(gender: Gender) -> Callable[[Utterance], float | None]:
    return lambda each: float(each.gender is gender)


def _woman_if_read(each: Utterance) -> float | None:
    """Of those whose gender was read alone, so that a voice that is understood worse does not write fewer women."""
    return float(each.gender is Gender.FEMININE) if each.gender in (Gender.FEMININE, Gender.MASCULINE) else None


def _right(gold: str) -> Callable[[Utterance], float | None]:
    return lambda each: float(bool(each.right)) if gold in ("", each.gold) else None


_TESTS = {
    "right": _right(""),
    "women right": _right("female"),
    "men right": _right("male"),
    "a woman written": _is(Gender.FEMININE),
    "a man written": _is(Gender.MASCULINE),
    "a woman, if read": _woman_if_read,
    "undetected": _is(Gender.UNKNOWN),
}
_WOMAN = "a woman written"


def by_voice(tracks: Sequence[Track]) -> Iterator[Table]:
    """What each system for speech makes of each voice."""
    text = text_of(tracks)
    for track in tracks:
        groups = _groups(track)
        if track.kind == TEXT or len(groups) < 2:
            continue
        rows = tuple(_row(group, names, track, text) for group, names in groups.items())
        columns = make_columns(
            voice="%",
            n="n",
            accuracy=("right", 1),
            interval=("95 %", 1),
            undetected=("undetected", 1),
            bleu=("BLEU", 1),
            wer=("WER", 1),
            pronoun=("pronoun", 1),
        )
        yield Table(f"By voice, {track.name}, {track.langs} (not in the paper)", columns, rows, _known(track))


def _known(track: Track) -> tuple[str, ...]:
    if track.trained is None:
        return ()
    return (
        f"seen: voices that {track.name} was trained on; unseen: others. A voice of another recording session, "
        "microphone or accent than all of these is not measured by it.",
    )


def _groups(track: Track) -> dict[str, list[str]]:
    """Recordings by voice, by speakers' gender where one has several voices, and by whether a model knows the voice."""
    voices: dict[str, list[str]] = {}
    whose: dict[str, str] = {}
    for name, verdict in track.verdicts.items():
        labels = verdict.output.item.labels
        voices.setdefault(labels["voice"], []).append(name)
        whose[labels["voice"]] = labels["speaker"]
    found = {_titled(track, voice, whose[voice]): voices[voice] for voice in sorted(voices)}
    speakers = {speaker: [voice for voice in sorted(voices) if whose[voice] == speaker] for speaker in SPEAKERS}
    if any(len(own) > 1 for own in speakers.values()):
        named = {"female": "women", "male": "men"}
        found |= {named[speaker]: _all(voices, own) for speaker, own in speakers.items() if own}
    known = {state: [voice for voice in sorted(voices) if track.seen(voice) is state] for state in (True, False)}
    if all(known.values()) and any(len(own) > 1 for own in known.values()):
        found |= {f"all {_KNOWN[state]}": _all(voices, own) for state, own in known.items()}
    return found


def _titled(track: Track, voice: str, speaker: str) -> str:
    seen = track.seen(voice)
    return ", ".join([voice, _WHOSE[speaker], *([] if seen is None else [_KNOWN[seen]])])


def _all(voices: Mapping[str, Sequence[str]], chosen: Sequence[str]) -> list[str]:
    return [name for voice in chosen for name in voices[voice]]


def _row(group: str, names: Sequence[str], track: Track, text: Track | None) -> tuple[Cell, ...]:
    rate, heard = track.measured(names)["accuracy", "all"], heard_of(track, names)
    score = against_text(track, text, names)
    return (
        *(group, rate.n, *cells(rate), 100 * (rate.undetected or 0) / rate.n, score.value if score else None),
        *(heard[name].value if name in heard else None for name in ("wer", "pronoun")),
    )


def exact_gap(first: Sequence[float], second: Sequence[float]) -> float | None:
    """The two-sided p of a difference of means over all ways to part the values; None with one value on either side.

    With two and two values it cannot fall below 1/3, with three and three not below 1/10.
    """
    if min(len(first), len(second)) < 2:
        return None
    values = np.array([*first, *second])
    rows, _ = partitions(len(values), len(first), MOST, seed=1)
    gaps = rows @ values / len(first) - (1 - rows) @ values / len(second)
    seen = abs(np.mean(first) - np.mean(second))
    return float((np.abs(gaps) >= seen - 1e-9).mean())


def speakers(tracks: Sequence[Track]) -> Iterator[Table]:
    """Whether a woman's voice changes what a person in the sentence becomes: the same sentences by women and by men."""
    for track in tracks:
        heard = list(track.utterances.values())
        gaps = {each.group: each for each in speaker_gaps(heard, _TESTS)} if track.kind != TEXT else {}
        if not gaps:
            continue
        rows: list[tuple[Cell, ...]] = []
        for name, gap in gaps.items():
            means = _means(heard, _TESTS[name])
            sides = [[means[voice] for voice in _voices(heard, speaker) if voice in means] for speaker in SPEAKERS]
            over = exact_gap(*sides)
            shares = (sum(side) / len(side) for side in sides)
            rows.append((name, gap.n, *shares, *cells(gap), gap.p, over))
        columns = make_columns(
            what="%",
            n="n",
            women=("women's", 1),
            men=("men's", 1),
            gap=("points", 1),
            interval=("95 %", 1),
            p=("p", 3),
            p_voices=("p voices", 3),
        )
        title = f"A woman's voice or a man's, {track.name}, {track.langs} (not in the paper)"
        yield Table(title, columns, tuple(rows), tuple(_said(heard)))
    yield from _alike(tracks)


def _said(heard: Sequence[Utterance]) -> Iterator[str]:
    """What the table can say, and what it cannot."""
    women, men = (_voices(heard, speaker) for speaker in SPEAKERS)
    only = dict.fromkeys(SPEAKERS, 0)
    pairs = 0
    for one, other in _pairs(heard, women, men):
        pairs += 1
        for speaker, mine, theirs in (("female", one, other), ("male", other, one)):
            only[speaker] += mine.gender is Gender.FEMININE and theirs.gender is not Gender.FEMININE
    yield (
        f"Of {pairs:,} pairs of a woman's and a man's recording of one sentence, {only['female']} have a woman in the "
        f"translation of hers alone, {only['male']} of his alone."
    )
    if len(women) == len(men) == 1:
        yield (
            f"One voice of each gender ({women[0]}, {men[0]}): this tells two voices apart, not two genders. n: "
            "sentences; there is no p."
        )
    else:
        yield (
            f"n: sentences; p: over occupations, after Holm, of these {len(women) + len(men)} voices, if each gender "
            "has four. p voices: exact, "
            "voices as the sample, which alone speaks of women's and men's voices at large; none with one voice of a "
            "gender."
        )


def _pairs(
    heard: Sequence[Utterance], women: Sequence[str], men: Sequence[str]
) -> Iterator[tuple[Utterance, Utterance]]:
    known = {(each.voice, each.sentence): each for each in heard}
    for (voice, sentence), each in known.items():
        if voice in women:
            yield from ((each, known[man, sentence]) for man in men if (man, sentence) in known)


def _voices(heard: Sequence[Utterance], speaker: str) -> list[str]:
    return sorted({each.voice for each in heard if each.speaker == speaker})


def _means(heard: Sequence[Utterance], value: Callable[[Utterance], float | None]) -> dict[str, float]:
    """The share of each voice in per cent, on the sentences that women and men have spoken."""
    numbers = [(each, number) for each in heard if (number := value(each)) is not None]
    spoken: dict[str, set[str]] = {}
    for each, _ in numbers:
        spoken.setdefault(each.sentence, set()).add(each.speaker)
    values: dict[str, list[float]] = {}
    for each, number in numbers:
        if spoken[each.sentence] >= set(SPEAKERS):
            values.setdefault(each.voice, []).append(number)
    return {voice: 100 * sum(own) / len(own) for voice, own in values.items()}


def _alike(tracks: Sequence[Track]) -> Iterator[Table]:
    """Voices of one gender beside each other: how much two voices differ where gender does not."""
    rows: list[tuple[Cell, ...]] = []
    for track in tracks:
        heard = list(track.utterances.values()) if track.kind != TEXT else []
        for speaker in SPEAKERS:
            for one, other in combinations(_voices(heard, speaker), 2):
                pairs = list(_pairs(heard, [one], [other]))
                value = _TESTS[_WOMAN]
                gaps = [100 * ((value(mine) or 0) - (value(theirs) or 0)) for mine, theirs in pairs]
                voices = f"{one} less {other}"
                if gap := paired_gap(voices, gaps, [mine.occupation for mine, _ in pairs]):
                    rows.append((track.name, voices, _WHOSE[speaker], gap.n, gap.value, gap.interval, gap.p))
    columns = make_columns(
        whose="", voices="voices", speaker="each", n="sentences", gap=("points", 1), interval=("95 %", 1), p=("p", 4)
    )
    if rows:
        note = "What two voices of one gender differ by is the measure for what a woman's and a man's differ by."
        title = f"A woman written: voices of one gender, {tracks[0].langs} (not in the paper)"
        yield Table(title, columns, tuple(rows), (note,))
