"""Renduchintala et al. 2021, "Gender bias amplification during Speed-Quality optimization in Neural Machine
Translation": Tables 4a and 4b, and the trends of Figures 1 and A2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from epicene.errors import EvidenceError
from epicene.output.table import Cell, Column, Table
from epicene.studies import Figure, Study, StudyPlan
from epicene_lab import claim
from epicene_lab import points as results
from epicene_lab.points import CTRANSLATE2, Point
from epicene_lab.shipped import Results, shipped
from epicene_lab.studies.simplegen import answer, speed
from epicene_lab.summary import BASELINE, Estimate, Setting, Summary, average_times, drop, read_setting, summarise
from epicene_lab.tables import table
from epicene_lab.trend import FIGURES, Trend, figure, fit_trend

TITLE = "Renduchintala et al. 2021: what faster decoding costs in gender (Table 4)"
INPUTS = {"results": "points measured by epicene lab, or a folder of outputs; without it, the shipped outputs"}

_NAMES = {"time": "time %", "bleu": "BLEU", "delta": "Δ", "delta_fc": "ΔFC", "delta_mc": "ΔMC", "unread": "unread %"}
_NAMES |= {"pro_read": "pro", "anti_read": "anti", "delta_read": "Δ"}
_BLOCKS = {
    "": ("time", "bleu", "pro", "anti", "delta", "unread"),
    ", by group": ("FOFC", "MOFC", "delta_fc", "MOMC", "FOMC", "delta_mc"),
    ", of the sentences that could be read": ("pro_read", "anti_read", "delta_read", "unread"),
}
_ALONE = "each speed-up alone"
_LAST = "max drop %"
_HOW = (
    "pro … ΔMC: correct sentences of SimpleGEN (n = 2,664) in percent; ± is half a 95 % interval of the mean over "
    "seeds, under time half the spread of the repeats. time: percent of the baseline's.",
    "max drop %: the largest relative drop of the column. The largest of five is large by chance alone: read it with "
    "its ±.",
)
_PAPER_LAST = (
    "The paper's caption says its last row is the fastest method's drop; its numbers are the columns' largest, some "
    "of them (anti, MOFC) larger than its own rows give."
)


def run(inputs: Mapping[str, str], anyway: bool = False) -> Study:
    """What our models answer, or yours, then the paper's tables with theirs beside; read by the authors' dictionary.

    Pairs whose baseline fails the validity check are left out of the tables; ``anyway``: they stay, with a warning.
    """
    source = Path(inputs["results"]) if inputs.get("results") else shipped()
    own = Results(source) if source.is_dir() else None
    points = own.points() if own else results.read([source])
    pairs = dict.fromkeys(point.key.langs for point in points)
    checks = {langs: claim.check_points(points, langs) for langs in pairs}
    passed = [point for point in points if anyway or checks[point.key.langs].passed]
    if not passed:
        raise EvidenceError(_refuse(checks))
    first = list(answer.answer(own)) if own else [answer.answer_points(passed, checks), answer.tabulate_checks(checks)]
    by_dictionary = [first.pop()] if own else []
    costs = speed.tables(own, anyway) if own else ()
    whose = "ours" if source == shipped() else "yours"
    compared = study(passed, "paper", whose, beside=True, trends=own is None)
    # The paper's main table comes with the answer; what takes more room follows.
    main = [part for part in compared.parts if part.title.endswith(_ALONE)]
    rest = [part for part in compared.parts if part not in main]
    tables = (*first, *main, _describe(points, whose), *by_dictionary, *rest, *costs)
    return Study("simplegen", TITLE, tables, {}, compared.signatures, compared.figures)


def _refuse(checks: Mapping[str, claim.Validity]) -> str:
    baselines = "; ".join(
        f"{langs}: {check.unread:.1f} % undetected, {check.mofc:.1f} % of the detected MOFC right"
        for langs, check in checks.items()
    )
    return (
        f"no baseline passes the validity check ({baselines}); expected at most {claim.MOST_UNREAD:g} % and at least "
        f"{claim.LEAST_RIGHT:g} %; --anyway prints the tables all the same"
    )


def study(
    points: Sequence[Point], protocol: str, whose: str = "yours", beside: bool = False, trends: bool = True
) -> Study:
    """Tables 4a and 4b for measured points; ``beside`` puts the published figures over them."""
    measured = list(dict.fromkeys(point.key.langs for point in points))
    published = list(dict.fromkeys(row["langs"] for row in table("lab", "published.tsv")))
    tables: list[Table] = []
    for langs in dict.fromkeys([*(published if beside else []), *measured]):
        # A pair that the paper does not have is shown in the same rows, without published figures.
        rows_of = langs if langs in published else published[0]
        summary = summarise(points, langs, protocol)
        tables += _tables(langs, rows_of, summary, whose, beside and langs in published)
    figures: list[Figure] = []
    for langs in measured:
        tables += [*_times(points, langs), *_exported(points, langs)]
        if lines := _fit_trends(points, langs, protocol):
            tables += [_tabulate_trends(langs, lines)] if trends else []
            figures += [figure(name, langs, lines[name]) for name in lines]
    if not tables:
        raise EvidenceError("no measured point, so there is no table to print")
    return Study("simplegen", TITLE, tuple(tables), {}, _signatures(points, protocol), tuple(figures))


def _describe(points: Sequence[Point], whose: str) -> Table:
    """What differs from the paper: all that the results say of themselves, and of our own models how they were made."""
    measured = [point for point in points if point.key.engine == results.LAB]
    models = {(point.key.langs, point.key.model, point.key.seed) for point in measured}
    seeds = Counter((langs, model) for langs, model, _ in models).values()
    facts = {
        "models": f"{len(models)}, of {len({model for _, model, _ in models})} architectures",
        "seeds": f"{min(seeds)} to {max(seeds)} an architecture",
        "BLEU": _join(f"{quality.lines} lines" for point in measured if (quality := point.quality)),
        "time": _join(
            f"{time.sentences} sentences, {time.repeats} repeats" for point in measured if (time := point.time)
        ),
        "machines": _join(point.machine for point in measured if point.time),
    }
    rows = tuple(
        (row["what"], row["paper"], facts.get(row["what"], row["ours"]))
        for row in table("lab", "differs.tsv")
        if whose == "ours" or row["what"] in facts
    )
    columns = (
        Column("what", ""),
        Column("paper", "paper", wraps=True),
        Column("ours", whose, wraps=True),
    )
    return Table("What differs from the paper", columns, rows)


def _join(texts: Iterable[str]) -> str:
    return "; ".join(sorted({text for text in texts if text})) or "not measured"


def _tables(langs: str, rows_of: str, summary: Summary, whose: str, beside: bool) -> Iterator[Table]:
    for name, kind in (("4a", _ALONE), ("4b", "stacked")):
        rows = [row for row in table("lab", "published.tsv") if (row["table"], row["langs"]) == (name, rows_of)]
        for block, metrics in _BLOCKS.items():
            columns = (Column("row", ""), Column("whose", ""), *(Column(m, _NAMES.get(m, m), 1) for m in metrics))
            cells = tuple(_rows(rows, summary, metrics, whose, beside))
            notes = () if block or name != "4a" else _notes(rows, summary, beside)
            yield Table(f"Table {name}, {langs}: {kind}{block}", columns, cells, notes)


def _notes(rows: Sequence[Mapping[str, str]], summary: Summary, beside: bool) -> tuple[str, ...]:
    seeds = sorted(
        {
            summary[setting]["bleu"].n
            for row in rows
            if (setting := _setting(row)) in summary and "bleu" in summary[setting]
        }
    )
    counted = f"Seeds a row: {', '.join(map(str, seeds))}." if seeds else "No quality was measured for this pair."
    return (counted, *_HOW, *([_PAPER_LAST] if beside else []))


def _rows(
    rows: Sequence[Mapping[str, str]], summary: Summary, metrics: Sequence[str], whose: str, beside: bool
) -> Iterator[tuple[Cell, ...]]:
    first = float(rows[0]["time"])
    for row in rows:
        if beside:
            yield (row["row"], "paper", *(_published(row, metric, first) for metric in metrics))
        ours = [_ours(row, rows, summary, metric) for metric in metrics]
        yield ("" if beside else row["row"], whose, *(estimate and estimate.value for estimate in ours))
        yield ("", "±", *(estimate and estimate.half for estimate in ours))


def _published(row: Mapping[str, str], metric: str, first: float) -> Cell:
    if not row.get(metric):
        return None
    number = float(row[metric])
    return 100 * number / first if metric == "time" and row["row"] != _LAST else number


def _ours(row: Mapping[str, str], rows: Sequence[Mapping[str, str]], summary: Summary, metric: str) -> Estimate | None:
    if row["row"] != _LAST:
        return summary.get(_setting(row), {}).get(metric)
    if metric.startswith("delta") or metric == "unread":
        return None
    drops = (drop(summary, _setting(other), metric) for other in rows if other["row"] != _LAST)
    there = [estimate for estimate in drops if estimate]
    return max(there, key=lambda estimate: estimate.value) if len(there) > 1 else None


def _setting(row: Mapping[str, str]) -> Setting:
    return Setting(row["model"], row["precision"], int(row["beam"] or 0))


def _times(points: Sequence[Point], langs: str) -> Iterator[Table]:
    """Time of every architecture in every mode."""
    here = [point for point in points if point.key.langs == langs and point.key.engine == results.LAB]
    times = average_times(here)
    if not times:
        return
    modes = (("float", 5), ("float", 1), ("int8", 5), ("int8", 1))
    columns = [Column("model", "model")]
    for precision, beam in modes:
        columns += [
            Column(f"{precision}_{beam}", f"{precision} {beam}", 1),
            Column(f"{precision}_{beam}_spread", "±", 1),
        ]
    rows = []
    for model in dict.fromkeys(each.model for each in times):
        cells = [times.get(Setting(model, *mode)) for mode in modes]
        rows.append((model, *(part for each in cells for part in (each[:2] if each else (None, None)))))
    base = next(point.time for point in here if read_setting(point.key) == BASELINE and point.time)
    per = 1000 * base.seconds / base.sentences
    note = (
        f"100 % is {per:.1f} ms a sentence ({base.sentences} sentences, one at a time, {base.repeats} repeats; median "
        "CPU time of one thread). Each time is divided by the baseline's in the same turn, so that a busy spell of "
        "the machine falls on both. The number after the precision is the beam; ± is half the spread of the repeats."
    )
    yield Table(f"Decoding time, {langs}, percent of the baseline's", tuple(columns), tuple(rows), (note,))


def _exported(points: Sequence[Point], langs: str) -> Iterator[Table]:
    """CTranslate2's times, apart: another engine."""
    exported = [p for p in points if p.key.langs == langs and p.key.engine == CTRANSLATE2 and p.time]
    if not exported:
        return
    columns = [Column(name, name) for name in ("model", "beam")]
    columns += [Column("percent", "time %", 1), Column("spread", "spread", 1)]
    columns += [Column("ms", "ms a sentence", 1), Column("repeats", "repeats")]
    rows = []
    for point in exported:
        if time := point.time:
            ms = 1000 * time.seconds / time.sentences
            spread = (time.percent_low, time.percent_high)
            rows.append((point.key.model, point.key.beam, time.percent, spread, ms, time.repeats))
    note = (
        "Another engine, so not to be read with the times above, though in percent of the same baseline; it knows no "
        "average attention."
    )
    yield Table(f"CTranslate2, int8, {langs}", tuple(columns), tuple(rows), (note,))


def _fit_trends(points: Sequence[Point], langs: str, protocol: str) -> dict[str, list[Trend]]:
    """The lines of each figure; none where a pair has too few points."""
    try:
        return {
            name: [fit_trend(points, langs, protocol, metric) for metric in metrics]
            for name, metrics in FIGURES.items()
        }
    except EvidenceError:
        return {}


def _tabulate_trends(langs: str, lines: Mapping[str, Sequence[Trend]]) -> Table:
    columns = (
        Column("figure", "figure"),
        Column("metric", "metric"),
        Column("slope", "slope", 3),
        Column("interval", "95 % interval", 3),
        Column("points", "points"),
        Column("models", "models"),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, trends in lines.items():
        for line in trends:
            interval = None if line.low is None or line.high is None else (line.low, line.high)
            metric = _NAMES.get(line.metric, line.metric)
            rows.append((name, metric, line.slope, interval, len(line.places), line.models))
    note = "slope: percent of the metric lost per percent of time saved; where the interval holds 0, no trend is shown."
    return Table(f"Figures 1 and A2, {langs}: trends", columns, tuple(rows), (note,))


def _signatures(points: Sequence[Point], protocol: str) -> tuple[str, ...]:
    qualities = [point.quality for point in points if point.quality]
    return tuple(
        dict.fromkeys(
            signature for q in qualities for signature in (f"BLEU {q.bleu_signature}", q.scores[protocol].signature)
        )
    )


STUDY = StudyPlan(TITLE, INPUTS, run, anyway=partial(run, anyway=True))
