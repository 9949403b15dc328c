"""What speed costs, in words and in gender, along lines through all settings of the project's own study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from epicene.errors import DataMissingError
from epicene.output.table import Cell, Column, Table
from epicene.sets.files import no_downloads
from epicene_lab import claim
from epicene_lab.analysis import Slope
from epicene_lab.shipped import Results

_SLOPES = (
    "unread sentences count as wrong, as right, or not at all (read); read by all: those alone that every run has "
    "readable. Occupations and trained models are the sample.",
)
_LOSSES = (
    "Per cent lost by all settings with a speed-up, beside the same settings without it. AAN: average attention; "
    "shallow decoder: 1 or 2 layers, beside 6 of encoder and decoder. ± is half a 95 % interval, with occupations and "
    "trained models as the sample.",
)
_APART = (
    "The same slopes, with what all models of a batch share taken off: those of a batch were trained together, and "
    "seeds of an architecture come from several.",
)
_WOMEN = (
    "women, men: sentences that say the person is one, whatever most who do the job are. Above 0 women lose more.",
)
_COMPARED = ("anti less BLEU, newstest", "anti less control words", "anti less pro")
_FAILED = "The baseline failed the validity check: these numbers should not be believed."


def tables(own: Results, anyway: bool) -> Iterator[Table]:
    """What speed costs in the pairs whose baseline passes the validity check; ``anyway``: in all, with a warning."""
    for langs in own.pairs:
        passed = claim.check_baseline(own, langs).passed
        if passed or anyway:
            notes = () if passed else (_FAILED,)
            yield from (replace(table, notes=(*notes, *table.notes)) for table in _speed(own, langs))


def _speed(own: Results, langs: str) -> Iterator[Table]:
    yield from _slopes([*claim.fit_lines(own, langs), *_winomt(own, langs)], langs)
    yield from _apart(list(claim.fit_apart(own, langs)), langs)
    yield from _losses(list(claim.measure_losses(own, langs)), langs)
    yield _doses(list(claim.measure_doses(own, langs)), langs)


def _winomt(own: Results, langs: str) -> list[claim.Line]:
    """WinoMT's lines, where its sentences are on this machine."""
    try:
        with no_downloads():
            return list(claim.fit_winomt(own, langs))
    except DataMissingError:
        return []


def _slopes(lines: Sequence[claim.Line], langs: str) -> Iterator[Table]:
    """What falls with speed, and whether ``anti`` falls faster than what has nothing to do with gender."""
    first = (Column("metric", "metric"), Column("slope", "slope", 2), Column("interval", "95 % interval", 2))
    plain = tuple((line.metric, line.slope.value, _interval(line)) for line in lines if not line.protocol)
    note = (
        "slope: per cent of the baseline's value lost per per cent of time saved. Trained models are the sample, and "
        "for control words (words of SimpleGEN's frames that name nobody's gender) occupations too."
    )
    yield Table(f"What speed costs, {langs}: quality", first, plain, (note,))
    for challenge in dict.fromkeys(line.name for line in lines if line.protocol):
        by_sample = _by_sample(line for line in lines if line.protocol and line.name == challenge)
        yield _beside(f"What speed costs, {langs}: gender in {challenge}", by_sample, ("pro", "anti"), _SLOPES)
        for metric in _COMPARED:
            if metric in next(iter(by_sample.values())):
                title = f"Does anti fall faster than {metric.removeprefix('anti less ')}? {langs}, {challenge}"
                yield _beside(title, by_sample, (metric,), ("Above 0: faster.",))
        yield _women(f"What speed costs women and men, {langs}: {challenge}", by_sample)


def _women(title: str, by_sample: Mapping[tuple[str, ...], Mapping[str, claim.Line]]) -> Table:
    columns: tuple[Column, ...] = (Column("protocol", "protocol"), Column("sentences", "unread"))
    columns += (*_with_half("women", "women", 2), *_with_half("men", "men", 2))
    columns += _with_half("women_less_men", "women - men", 2)
    metrics = ("women", "men", "women less men")
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (*key, *_halves(*(lines[name].slope for name in metrics), digits=2)) for key, lines in by_sample.items()
    )
    return Table(title, columns, rows, _WOMEN)


def _apart(lines: Sequence[claim.Line], langs: str) -> Iterator[Table]:
    if lines:
        yield _beside(f"The same, batch by batch, {langs}", _by_sample(lines), ("anti", "anti less pro"), _APART)


def _by_sample(lines: Iterable[claim.Line]) -> dict[tuple[str, ...], dict[str, claim.Line]]:
    by_sample: dict[tuple[str, ...], dict[str, claim.Line]] = {}
    for line in lines:
        by_sample.setdefault((line.protocol, line.sample.removeprefix("unread ")), {})[line.metric] = line
    return by_sample


def _beside(
    title: str,
    by_sample: Mapping[tuple[str, ...], Mapping[str, claim.Line]],
    metrics: Sequence[str],
    notes: tuple[str, ...],
) -> Table:
    columns = [Column("protocol", "protocol"), Column("sentences", "unread")]
    for metric in metrics:
        columns += [Column(metric, metric.replace("anti less", "anti -"), 2), Column(f"{metric}_95", "95 %", 2)]
    rows = tuple(
        (
            *key,
            *(cell for metric in metrics for cell in (round(lines[metric].slope.value, 2), _interval(lines[metric]))),
        )
        for key, lines in by_sample.items()
    )
    return Table(title, tuple(columns), rows, notes)


def _interval(line: claim.Line) -> tuple[float, float]:
    return round(line.slope.low, 2), round(line.slope.high, 2)


def _losses(losses: Sequence[claim.Loss], langs: str) -> Iterator[Table]:
    """What each kind of speed-up alone costs, in words and in gender; nothing where no setting has its like."""
    if not losses:
        return
    columns: tuple[Column, ...] = (Column("kind", "speed-up"), Column("saved", "time saved %", 0))
    columns += (*_with_half("bleu", "BLEU"), *_with_half("control", "control words"))
    words: dict[str, tuple[Cell, ...]] = {
        loss.kind: (loss.kind, round(loss.saved), *_halves(loss.bleu, loss.control)) for loss in losses
    }
    yield Table(f"What each speed-up costs, {langs}: quality", columns, tuple(words.values()), _LOSSES)
    for title, names, heads in (
        ("gender in simplegen", ("pro", "anti", "less"), ("pro", "anti", "anti - pro")),
        ("women and men in simplegen", ("women", "men", "women_less_men"), ("women", "men", "women - men")),
    ):
        columns = (Column("kind", "speed-up"), Column("protocol", "protocol"), Column("sentences", "unread"))
        columns += tuple(column for loss in zip(names, heads, strict=True) for column in _with_half(*loss))
        rows: list[tuple[Cell, ...]] = [
            (
                loss.kind,
                loss.protocol,
                loss.sample.removeprefix("unread "),
                *_halves(*(getattr(loss, name) for name in names)),
            )
            for loss in losses
        ]
        yield Table(f"What each speed-up costs, {langs}: {title}", columns, tuple(rows))


def _with_half(name: str, title: str, digits: int = 1) -> tuple[Column, Column]:
    return Column(name, title, digits), Column(f"{name}_half", "±", digits)


def _halves(*slopes: Slope, digits: int = 1) -> list[float]:
    return [round(number, digits) for slope in slopes for number in (slope.value, slope.half)]


def _doses(doses: Sequence[claim.Dose], langs: str) -> Table:
    columns = (
        Column("model", "model"),
        Column("mode", "mode"),
        Column("skew", "skew"),
        Column("seeds", "seeds"),
        Column("pro", "pro", 1),
        Column("anti", "anti", 1),
        Column("mofc", "MOFC", 1),
        Column("unread", "unread", 1),
    )
    rows = tuple(
        (row.model, f"{row.precision} {row.beam}", row.skew, row.seeds, row.pro, row.anti, row.mofc, row.unread)
        for row in doses
    )
    note = (
        "Right of those read, by how often a person of open gender had the gender of most who do the job in the "
        "training text; labour: as often as in the labour statistics."
    )
    return Table(f"Dose and response, {langs}", columns, rows, (note,))
