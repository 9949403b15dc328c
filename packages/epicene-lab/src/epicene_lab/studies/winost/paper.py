"""Tables 4 and 5 of the paper and its figures of recognition, with ours beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from epicene.measures.quality import bleu
from epicene.measures.speech import recognition
from epicene.output.table import Cell, Column, Table
from epicene.types import Measure
from epicene_lab.studies import list_cells, read_published
from epicene_lab.studies.winost.tracks import CASCADE, DIRECT, TEXT, Track

Pairs = Mapping[str, Sequence[Track]]
_TABLE_4 = {"accuracy": ("all", "Acc"), "delta_g": ("male-female", "ΔG"), "delta_s": ("pro-anti", "ΔS")}
_HEARD = {
    "asr_accuracy": "person and pronoun right",
    "misspelt": "person misspelt",
    "pronoun_spelt": "pronoun, if person right",
    "pronoun": "pronoun right",
    "pronoun_changed": "pronoun changed",
    "wer": "word error rate",
}
_PEOPLE = "translation"  # the label of a person's translation


def published(number: str) -> dict[tuple[str, str], float]:
    """The figures of a table by row and column."""
    figures = read_published("winost", "row", "column", table=number)
    return {(row, column): float(value) for (row, column), value in figures.items()}


def cells(measure: Measure | None) -> tuple[Cell, ...]:
    """A value and its interval."""
    return list_cells(measure, "value", "interval")


def _rows(pairs: Pairs, number: str) -> Iterator[tuple[str, Sequence[Track]]]:
    for langs in dict.fromkeys([*(pair for pair, _ in published(number)), *pairs]):
        yield langs, pairs.get(langs, ())


def table_4(pairs: Pairs) -> Table:
    """Accuracy, ΔG and ΔS: speech against text, in the paper and here."""
    ours = {"paper ST": published("4"), "paper MT": published("mt")}
    rows: list[tuple[Cell, ...]] = []
    for langs, tracks in _rows(pairs, "4"):
        for whose, figures in ours.items():
            if any(pair == langs for pair, _ in figures):
                known = (figures.get((langs, name)) for name in _TABLE_4)
                rows.append((langs, whose, *(cell for value in known for cell in (value, None))))
        for track in tracks:
            measures = track.measured()
            values = (cells(measures[name, group]) for name, (group, _) in _TABLE_4.items())
            rows.append((langs, track.name, *(cell for both in values for cell in both)))
    columns = [Column("langs", ""), Column("whose", "")]
    for name, (_, title) in _TABLE_4.items():
        columns += [Column(name, title, 1), Column(f"{name}_interval", "95 %", 1)]
    paper = (
        "paper ST: an S-Transformer trained on MuST-C, on 3,888 recordings of one woman. paper MT: the best text "
        "translators of Stanovsky et al. 2019 on all of WinoMT, as far as Section 6.3 tells."
    )
    return Table(
        "Table 4: gender accuracy in %, ΔG and ΔS in points", tuple(columns), tuple(rows), (paper, *_who(pairs))
    )


def _who(pairs: Pairs) -> Iterator[str]:
    """Which system each name stands for, and on how many recordings all of them are measured."""
    told: dict[str, list[str]] = {}
    for pair, tracks in pairs.items():
        for track in tracks:
            told.setdefault(f"{track.name}: {track.system}", []).append(pair)
    for said, own in told.items():
        part = f" ({', '.join(own)})" if len(own) < len(pairs) else ""
        yield f"{said}{part}."
    alike: dict[str, list[str]] = {}
    for langs, tracks in pairs.items():
        sentences = {verdict.output.item.labels["sentence"] for verdict in tracks[0].verdicts.values()}
        voices = sorted({verdict.output.item.labels["voice"] for verdict in tracks[0].verdicts.values()})
        said = (
            f"the same {len(tracks[0].verdicts):,} recordings of {len(sentences):,} sentences for all "
            f"({', '.join(voices)}), protocol {tracks[0].protocol}; text: the sentence itself, counted once for each "
            "voice."
        )
        alike.setdefault(said, []).append(langs)
    for said, own in alike.items():
        yield f"{', '.join(own)}: {said}"
    for langs, tracks in pairs.items():
        if other := _other_sound(tracks):
            yield f"{langs}: {other:,} recordings are called alike in several runs but are not the same sound."


def _other_sound(tracks: Sequence[Track]) -> int:
    spoken = [track for track in tracks if track.kind != TEXT]
    return sum(
        len({track.verdicts[name].output.item.labels.get("sha256") for track in spoken}) > 1
        for name in tracks[0].verdicts
    )


def against_text(track: Track, text: Track | None, recordings: Sequence[str] | None = None) -> Measure | None:
    """BLEU of a system for speech with the text system's translations as references."""
    if text is None or track.kind == TEXT:
        return None
    names = track.verdicts if recordings is None else recordings
    return bleu(
        "all", [(track.verdicts[name].output.as_written, text.verdicts[name].output.as_written) for name in names]
    )


def text_of(tracks: Sequence[Track]) -> Track | None:
    """The text translator that speech is compared with: the first."""
    return next((track for track in tracks if track.kind == TEXT), None)


def heard_of(track: Track, recordings: Sequence[str] | None = None) -> dict[str, Measure]:
    """What was written down of all recordings, or of some, by the name of the measure."""
    names = track.verdicts if recordings is None else recordings
    measures = recognition([track.utterances[name] for name in names])
    return {measure.name: measure for measure in measures if measure.group == "all"}


def table_5(pairs: Pairs) -> Table:
    """Word error rate and BLEU, and how much was not detected."""
    figures = published("5")
    people = any(
        _PEOPLE in verdict.output.item.labels for tracks in pairs.values() for verdict in tracks[0].verdicts.values()
    )
    rows: list[tuple[Cell, ...]] = []
    for langs, tracks in _rows(pairs, "5"):
        paper = (figures.get((langs, "wer")), None, figures.get((langs, "bleu")), None, None)
        if any(paper):
            rows.append((langs, "paper", *paper, *((None,) if people else ())))
        for track in tracks:
            wer, score = heard_of(track).get("wer"), against_text(track, text_of(tracks))
            rate = track.measured()["accuracy", "all"]
            undetected = 100 * (rate.undetected or 0) / rate.n
            own = (*cells(wer), *cells(score), undetected)
            rows.append((langs, track.name, *own, *((_by_people(track),) if people else ())))
    columns = [Column("langs", ""), Column("whose", ""), Column("wer", "WER", 2), Column("wer_interval", "95 %", 2)]
    columns += [Column("bleu", "BLEU", 1), Column("bleu_interval", "95 %", 1), Column("undetected", "undetected %", 1)]
    columns += [Column("bleu_people", "by people", 1)] if people else []
    notes = (
        "paper: on MuST-C, against people's translations, one recogniser for each pair.",
        "ours: on these recordings; BLEU against the text system's translations of the sentences themselves, so 100 "
        "is what the text system writes, not what is right; a cascade around that very system has it easier.",
    )
    return Table("Table 5: word error rate and BLEU, %", tuple(columns), tuple(rows), notes)


def _by_people(track: Track) -> Cell:
    pairs = [
        (verdict.output.as_written, verdict.output.item.labels[_PEOPLE])
        for verdict in track.verdicts.values()
        if _PEOPLE in verdict.output.item.labels
    ]
    return bleu("all", pairs).value if pairs else None


def tabulate_recognition(pairs: Pairs) -> Table:
    """The figures of Section 6.3, with those of every recogniser that was used."""
    figures = {name: value for (_, name), value in published("6.3").items()}
    figures["misspelt"] = 100 * figures["misspelt"] / figures["recordings"]
    listeners: dict[str, Track] = {}
    for tracks in pairs.values():
        for track in tracks:
            if track.kind in (CASCADE, DIRECT) and track.transcripts:
                listeners.setdefault(track.system.partition("+")[0], track)
    heard = {name: heard_of(track) for name, track in listeners.items()}
    rows: list[tuple[Cell, ...]] = []
    for name, title in _HEARD.items():
        values = (cells(measures.get(name)) for measures in heard.values())
        rows.append((title, figures.get(name), *(cell for both in values for cell in both)))
    columns = [Column("figure", "figure"), Column("published", "paper", 2)]
    for track in listeners.values():
        columns += [Column(track.name, track.name, 1), Column(f"{track.name}_interval", "95 %", 1)]
    notes = [
        "The published figures do not follow from each other: 74.5 % of 3,888 leaves 991 errors, of which 680 are "
        "misspelt; the other 311 would make 90.3 % of 3,208, while 98.72 % is 41 errors. The paper does not say more.",
        *(f"{track.name}: {name.removeprefix('cascade:')}." for name, track in listeners.items()),
    ]
    if any(track.kind == DIRECT and not track.transcripts for tracks in pairs.values() for track in tracks):
        notes.append(
            "direct: no transcripts; for one that can write down what it hears: epicene speech transcribe DIR "
            "-r direct:MODEL -o heard.tsv, and here -i heard=heard.tsv."
        )
    return Table("Recognition (Section 6.3), %", tuple(columns), tuple(rows), tuple(notes))
