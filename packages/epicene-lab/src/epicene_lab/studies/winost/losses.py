"""What speech loses against text, and direct against a cascade: paired over recordings, by kind of sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from epicene.measures.outcomes import Outcomes
from epicene.measures.paired import PairedTest, compare_groups
from epicene.measures.speech import ATTRIBUTION, IN_WORDS, attribution, gender_of, words
from epicene.output.table import Cell, Column, Table, make_columns
from epicene.sets.winomt import MEASURES
from epicene.types import Attribution, ErrorSource, Gender, Hearing, Item, Verdict
from epicene_lab.studies.winost.paper import cells, text_of
from epicene_lab.studies.winost.tracks import CASCADE, DIRECT, TEXT, Track

_SHOWN = 8  # occupations
_GROUPS = ("all", "female", "male", "neutral", "pro", "anti")
_FEWEST = 4  # recordings of an occupation, for a row of its own
_FROM = {"from_recognition": "recognition", "from_translation": "translation", "from_both": "both"}
_EXPLAINED = {
    ErrorSource.RECOGNITION: "error from recognition: {cue}",
    ErrorSource.TRANSLATION: "error from translation: {cue}",
    ErrorSource.BOTH: "error from both: {cue}, and the sentence itself is translated wrong",
    ErrorSource.LUCK: "right by luck: {cue}",
    ErrorSource.RIGHT: "right: the gender is inferred from the pronoun",
}


def tabulate_losses(tracks: Sequence[Track]) -> Iterator[Table]:
    """Every system for speech against the text, and direct ones against the first cascade."""
    text = text_of(tracks)
    cascade = next((track for track in tracks if track.kind == CASCADE), None)
    for track in tracks:
        if track.kind != TEXT and text:
            yield _losses(text, track, _listener(track, cascade))
    for track in tracks:
        if track.kind == DIRECT and cascade:
            yield _losses(cascade, track, _listener(track, cascade))
    for track in tracks:
        if track.kind != TEXT and text:
            yield from _occupations(text, track, _listener(track, cascade))


def _listener(track: Track, cascade: Track | None) -> Track | None:
    """Whose transcripts say what could be heard: the system's own, else those of the cascade's recogniser."""
    return track if track.transcripts else cascade


def _losses(before: Track, after: Track, listener: Track | None) -> Table:
    one, other = (_outcomes(track, listener) for track in (before, after))
    rows = tuple(_row(change) for change in sorted(compare_groups(one, other), key=lambda change: _place(change.group)))
    columns = make_columns(
        group="right, %",
        n="n",
        before=(before.name, 1),
        after=(after.name, 1),
        difference=("diff", 1),
        interval=("95 %", 1),
        lost="lost",
        gained="won",
        p=("p", 3),
    )
    notes = [
        f"lost, won: recordings that only {before.name} or only {after.name} has right. Intervals and p over "
        "occupations, where there are enough; p after Holm.",
    ]
    if listener:
        whose = "its own transcript" if listener is after else f"the transcript of {listener.name}"
        notes.append(f"heard, wrong: whether {whose} has the words for the person, or a word of the gender, or not.")
    return Table(f"What {after.name} loses against {before.name}, {before.langs}", columns, rows, tuple(notes))


def _place(group: str) -> tuple[int, str]:
    """Where a group stands: those of the set first, then what was said, then what was heard of it."""
    first, _, second = group.partition(" ")
    order = (*_GROUPS, "said", "person", "pronoun")
    return (order.index(first) if first in order else len(order)), second


def _row(change: PairedTest) -> tuple[Cell, ...]:
    interval = None if change.low is None or change.high is None else (change.low, change.high)
    return (
        *(change.group, change.n, change.before, change.after, change.difference, interval),
        *(change.lost, change.gained, change.p_holm),
    )


def _outcomes(track: Track, listener: Track | None) -> Outcomes:
    def groups(item: Item) -> tuple[str, ...]:
        return (*MEASURES.groups(item), *_said(item), *_heard(listener, item.id))

    return Outcomes.of(replace(MEASURES, compared=groups), track.verdicts.values(), paired=True)


def _said(item: Item) -> tuple[str, ...]:
    """The word of the sentence that tells the gender."""
    cue = next((word for word in words(item.source) if item.expected and gender_of(word) is item.expected), None)
    return ("said " + cue.partition("'")[0],) if cue else ()


def _heard(listener: Track | None, name: str) -> tuple[str, ...]:
    heard = listener.utterances[name].heard if listener else None
    if heard is None:
        return ()
    person = f"person {'heard' if heard.spelt else 'wrong'}"
    pronoun = () if heard.pronoun is None else (f"pronoun {'heard' if heard.pronoun is Hearing.KEPT else 'wrong'}",)
    return (person, *pronoun)


def _occupations(text: Track, track: Track, listener: Track | None) -> Iterator[Table]:
    """The occupations that speech loses most of; no tests, since the largest of many are large by chance."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for name, verdict in track.verdicts.items():
        own = counts[verdict.output.item.unit]
        heard = listener.utterances[name].heard if listener else None
        for place, value in enumerate((1, text.verdicts[name].right, verdict.right, bool(heard and not heard.spelt))):
            own[place] += value
    lost = {name: own for name, own in counts.items() if own[0] >= _FEWEST and own[1] > own[2]}
    rows: list[tuple[Cell, ...]] = []
    for name in sorted(lost, key=lambda name: (lost[name][2] - lost[name][1], name))[:_SHOWN]:
        n, before, after, misheard = lost[name]
        share = 100 * misheard / n if listener else None
        rows.append((name, n, 100 * before / n, 100 * after / n, before - after, share))
    columns = make_columns(
        occupation="occupation",
        n="n",
        before=(text.name, 1),
        after=(track.name, 1),
        less="fewer",
        misheard=("misheard", 1),
    )
    note = (
        f"Right in %; {len(lost)} of {len(counts)} occupations lose any; the largest of many are large by chance too."
    )
    title = f"Occupations that {track.name} loses most of, {track.langs}"
    if rows:
        yield Table(title, columns, tuple(rows), (note,))


def tabulate_causes(track: Track) -> Table | None:
    """Where a cascade's errors come from."""
    attributed = attribution(list(track.utterances.values()))
    known = {(measure.name, measure.group): measure for measure in attributed}
    rows: list[tuple[Cell, ...]] = []
    for group in dict.fromkeys(measure.group for measure in attributed if measure.name == ATTRIBUTION[0].name):
        own = [known[name, group] for name in _FROM]
        rows.append((group, own[0].n, *(cell for measure in own for cell in (measure.count, cells(measure)[0]))))
    columns = [Column("group", "errors of"), Column("n", "n")]
    for name, title in _FROM.items():
        columns += [Column(f"{name}_count", title), Column(name, "%", 1)]
    title = f"Where errors of {track.name} come from, {track.langs} (not in the paper)"
    return Table(title, tuple(columns), tuple(rows)) if rows else None


def tabulate_examples(tracks: Sequence[Track]) -> Table | None:
    """Sentences as in Table 3, with what every system wrote."""
    rows: list[tuple[Cell, ...]] = []
    for number, (name, why) in enumerate(_chosen(tracks), 1):
        item = tracks[0].verdicts[name].output.item
        lines = [("said", f"{item.source} ({item.labels['voice']})")]
        lines += [(f"{track.name} heard", track.transcripts[name]) for track in tracks if name in track.transcripts]
        lines += [(track.name, _told(track.verdicts[name])) for track in tracks]
        rows += [(number if what == "said" else "", what, text) for what, text in [*lines, ("", why)]]
    columns = (Column("example", ""), Column("what", ""), Column("text", "", wraps=True))
    return Table(f"Examples as in Table 3, {tracks[0].langs}", columns, tuple(rows)) if rows else None


def _told(verdict: Verdict) -> str:
    return f"{verdict.output.text} [{'undetected' if verdict.gender is Gender.UNKNOWN else verdict.gender.value}]"


def _chosen(tracks: Sequence[Track]) -> Iterator[tuple[str, str]]:
    """A recording of each origin of a cascade's errors, and of what direct loses and wins against the text."""
    seen: set[str] = set()
    text = text_of(tracks)
    cascade = next((track for track in tracks if track.kind == CASCADE), None)
    for origin in _EXPLAINED if cascade else ():
        for name, verdict in cascade.verdicts.items() if cascade else ():
            if verdict.cause and verdict.cause.origin is origin and _new(verdict, seen):
                yield name, _explained(verdict.cause, cascade.name if cascade else "")
                break
    for track in tracks:
        if track.kind != DIRECT or text is None:
            continue
        for right, words_for in ((False, "loses: the text is right"), (True, "wins: the text is wrong")):
            for name, verdict in track.verdicts.items():
                read = verdict.gender is not Gender.UNKNOWN
                if read and verdict.right is right and text.verdicts[name].right is not right and _new(verdict, seen):
                    yield name, f"{track.name} {words_for}"
                    break


def _new(verdict: Verdict, seen: set[str]) -> bool:
    sentence = verdict.output.item.labels["sentence"]
    if sentence in seen:
        return False
    seen.add(sentence)
    return True


def _explained(cause: Attribution, name: str) -> str:
    return f"{name}: {_EXPLAINED[cause.origin].format(cue=IN_WORDS[cause.cue])}"
