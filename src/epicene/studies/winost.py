"""Costa-jussà et al. 2022, "Evaluating Gender Bias in Speech Translation": Tables 4 and 5, its figures of recognition,
and examples as in Table 3; and what it leaves out: the speaker's gender, and where errors come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from epicene.errors import InputError
from epicene.measures.attribution import IN_WORDS
from epicene.result import Result
from epicene.store import runs
from epicene.studies import Cell, Column, Study, StudyPlan, StudyTable
from epicene.tables import table
from epicene.types import Cause, Measure, Origin, Verdict

TITLE = "Costa-jussà et al. 2022: WinoST, gender in speech translation and recognition"
INPUTS = {"run": "a run folder of 'epicene audit -t winost -l en-es -l en-de … -s cascade:RECOGNISER+SYSTEM -o DIR'"}
_SPOKEN = ("winost", "spoken:winomt")
_TABLE_4 = {"accuracy": ("all", "Acc"), "delta_g": ("male-female", "ΔG"), "delta_s": ("pro-anti", "ΔS")}
_HEARD = {
    "asr_accuracy": "pronoun and occupation right",
    "misspelt": "occupations misspelt",
    "pronoun_spelt": "pronoun, where the occupation is",
    "pronoun": "pronoun right",
    "wer": "word error rate",
}
_FROM = {"from_recognition": "recognition", "from_translation": "translation", "from_both": "both"}
_EXPLAINED = {
    Origin.RECOGNITION: "error from recognition: {cue}",
    Origin.TRANSLATION: "error from translation: {cue}",
    Origin.BOTH: "error from both: {cue}, and the sentence itself is translated wrong",
    Origin.LUCK: "right by luck: {cue}",
    Origin.RIGHT: "right: the gender is inferred from the pronoun",
}


def run(inputs: Mapping[str, str]) -> Study:
    """The paper's tables, ours beside them wherever the run has the language pair."""
    results = _results(inputs["run"]) if "run" in inputs else []
    tables = [_table_4(results), _table_5(results), _recognition(results)]
    for result in results:
        tables += [part for part in (_voices(result), _causes(result), _speakers(result), _examples(result)) if part]
    missing = {} if results else {"run": INPUTS["run"]}
    return Study("winost", TITLE, tuple(tables), missing, tuple(result.signature for result in results))


def _results(folder: str) -> list[Result]:
    found = [result for result in runs.read(Path(folder)) if result.set in _SPOKEN]
    if not found:
        raise InputError(
            f"{folder} holds no result on winost; make one with: epicene audit -t winost -l en-es -s SYSTEM"
        )
    return found


def _published(number: str) -> dict[tuple[str, str], float]:
    rows = table("winost", "published.tsv")
    return {(row["row"], row["column"]): float(row["value"]) for row in rows if row["table"] == number}


def _measure(result: Result, name: str, group: str) -> Measure | None:
    return next((each for each in result.measures if (each.name, each.group) == (name, group)), None)


def _cells(measure: Measure | None) -> tuple[Cell, Cell]:
    if measure is None:
        return None, None
    return measure.value, None if measure.low is None or measure.high is None else (measure.low, measure.high)


def _pairs(results: Sequence[Result], number: str) -> Iterator[tuple[str, list[Result]]]:
    published = [pair for pair, _ in _published(number)]
    for pair in dict.fromkeys([*published, *(result.langs for result in results)]):
        yield pair, [result for result in results if result.langs == pair]


def _table_4(results: Sequence[Result]) -> StudyTable:
    published = _published("4")
    rows: list[tuple[Cell, ...]] = []
    for pair, own in _pairs(results, "4"):
        rows.append((pair, "paper", *(cell for name in _TABLE_4 for cell in (published.get((pair, name)), None))))
        for result in own:
            cells = [_cells(_measure(result, name, group)) for name, (group, _) in _TABLE_4.items()]
            rows.append(("", "ours", *(cell for both in cells for cell in both)))
    columns = [Column("langs", ""), Column("whose", "")]
    for name, (_, title) in _TABLE_4.items():
        columns += [Column(name, title, 1), Column(f"{name}_interval", "95 %", 1)]
    notes = tuple(
        f"ours, {each.langs}: {each.system}, {each.n:,} recordings, protocol {each.protocol}." for each in results
    )
    paper = "Published: an S-Transformer trained on MuST-C, on 3,888 recordings of one woman."
    return StudyTable(
        "Table 4: gender accuracy in %, ΔG and ΔS in points", tuple(columns), tuple(rows), (paper, *notes)
    )


def _table_5(results: Sequence[Result]) -> StudyTable:
    published = _published("5")
    rows: list[tuple[Cell, ...]] = []
    for pair, own in _pairs(results, "5"):
        rows.append((pair, "paper", published.get((pair, "wer")), None, published.get((pair, "bleu")), None))
        rows += [
            ("", "ours", *_cells(_measure(each, "wer", "all")), *_cells(_measure(each, "bleu", "all"))) for each in own
        ]
    columns = (
        *(Column("langs", ""), Column("whose", ""), Column("wer", "WER", 2), Column("wer_interval", "95 %", 2)),
        *(Column("bleu", "BLEU", 1), Column("bleu_interval", "95 %", 1)),
    )
    note = (
        "Published: on MuST-C, one recogniser for each pair. Ours: on the recordings of the run itself; BLEU only "
        "where references.TARGET.tsv lies beside its manifest."
    )
    return StudyTable("Table 5: word error rate and BLEU, %", columns, tuple(rows), (note,))


def _recognition(results: Sequence[Result]) -> StudyTable:
    published = {name: value for (_, name), value in _published("6.3").items()}
    published["misspelt"] = 100 * published["misspelt"] / 3888
    heard = next((each for each in results if _measure(each, "wer", "all")), None)
    rows: list[tuple[Cell, ...]] = []
    for name, title in _HEARD.items():
        ours = _measure(heard, name, "all") if heard else None
        rows.append((title, published.get(name), *_cells(ours), ours.n if ours else None))
    columns = (
        *(Column("figure", "figure"), Column("published", "published", 2), Column("ours", "ours", 2)),
        *(Column("interval", "95 %", 2), Column("n", "n")),
    )
    note = (
        "The published figures do not follow from each other: 74.5 % of 3,888 leaves 991 errors, of which 680 are "
        "misspelt; the other 311 would make 90.3 % of 3,208, while 98.72 % is 41 errors. The paper does not say more."
    )
    return StudyTable("Recognition (Section 6.3), %", columns, tuple(rows), (note,))


def _voices(result: Result) -> StudyTable | None:
    groups = [
        each.group for each in result.measures if each.name == "accuracy" and ":" in each.group and not each.detail
    ]
    names = ("accuracy", "wer", "misspelt", "pronoun")
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        found = [_measure(result, name, group) for name in names]
        rows.append((group, found[0].n if found[0] else None, *(_cells(each)[0] for each in found)))
    columns = (Column("voice", "voice"), Column("n", "n"), *(Column(name, name, 1) for name in names))
    return StudyTable(f"By voice, {result.langs}, % (not in the paper)", columns, tuple(rows)) if rows else None


def _causes(result: Result) -> StudyTable | None:
    rows: list[tuple[Cell, ...]] = []
    for group in dict.fromkeys(each.group for each in result.measures if each.name in _FROM):
        found = [_measure(result, name, group) for name in _FROM]
        n = found[0].n if found[0] else None
        counts = (each.count if each else None for each in found)
        rows.append(
            (
                group,
                n,
                *(cell for both in zip(counts, map(_cells, found), strict=True) for cell in (both[0], both[1][0])),
            )
        )
    columns = [Column("group", "errors of"), Column("n", "n")]
    for name, title in _FROM.items():
        columns += [Column(f"{name}_count", title), Column(name, "%", 1)]
    title = f"Where errors come from, {result.langs} (not in the paper)"
    return StudyTable(title, tuple(columns), tuple(rows)) if rows else None


def _speakers(result: Result) -> StudyTable | None:
    gaps = [each for each in result.measures if each.name == "speaker_gap"]
    rows = tuple((each.group, each.n, *_cells(each), each.p) for each in gaps)
    columns = (
        *(Column("measure", "measure"), Column("n", "sentences"), Column("gap", "women less men", 1)),
        *(Column("interval", "95 %", 1), Column("p", "p (Holm)", 4)),
    )
    note = "The same sentences by women's and by men's voices: exact sign test, which of right and wrong is McNemar's."
    title = f"The speaker's gender, {result.langs}, points (not in the paper)"
    return StudyTable(title, columns, rows, (note,)) if rows else None


def _examples(result: Result) -> StudyTable | None:
    rows: list[tuple[Cell, ...]] = []
    for number, (cause, verdict) in enumerate(_chosen(result.verdicts), 1):
        output = verdict.output
        lines = {"said": output.item.source, "heard": output.heard.transcript if output.heard else ""}
        lines |= {
            result.langs.partition("-")[2]: output.text,
            "": f"{_EXPLAINED[cause.origin].format(cue=IN_WORDS[cause.cue])} ({output.item.labels['voice']})",
        }
        rows += [(number if what == "said" else "", what, text) for what, text in lines.items()]
    columns = (Column("example", ""), Column("what", ""), Column("text", "", wraps=True))
    return StudyTable(f"Examples as in Table 3, {result.langs}", columns, tuple(rows)) if rows else None


def _chosen(verdicts: Sequence[Verdict]) -> Iterator[tuple[Cause, Verdict]]:
    """The first verdict of each origin that is no earlier one's sentence."""
    seen: set[str] = set()
    for origin in _EXPLAINED:
        for verdict in verdicts:
            sentence = verdict.output.item.labels.get("sentence", "")
            if verdict.cause and verdict.cause.origin is origin and sentence not in seen:
                seen.add(sentence)
                yield verdict.cause, verdict
                break


STUDY = StudyPlan(TITLE, INPUTS, run)
