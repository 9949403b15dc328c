"""What the study of SimpleGEN says: may it be believed, what does speed cost, and is what it costs gender?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from statistics import mean, stdev
from typing import NamedTuple

from epicene.errors import EvidenceError
from epicene.types import Item
from epicene_lab import verdicts
from epicene_lab.analysis import GROUPS, SAMPLES, Analysis, Sentences, Slope
from epicene_lab.outputs import Run
from epicene_lab.points import PROTOCOLS, Point
from epicene_lab.shipped import MAIN, Results
from epicene_lab.summary import BASELINE, read_setting, value
from epicene_lab.verdicts import RIGHT, UNREAD

MOST_UNREAD, LEAST_RIGHT = 10.0, 30.0  # per cent: the validity check that a baseline has to pass
_NO_BASELINE = f"no run of the baseline ({BASELINE.model}, float, beam 5), so its validity cannot be checked"
_STEREOTYPE = {("pro", "male"): "MOMC", ("pro", "female"): "FOFC", ("anti", "female"): "MOFC", ("anti", "male"): "FOMC"}


class Validity(NamedTuple):
    """A baseline before anything is said about speed: mean over its seeds, protocol epicene."""

    langs: str
    seeds: int
    unread: float
    mofc: float  # right, of those read
    half: float | None  # of the 95 % interval of mofc, with seeds as the sample
    newstest: float
    tatoeba: float | None

    @property
    def passed(self) -> bool:
        """Whether a study of this pair may be believed."""
        return self.unread <= MOST_UNREAD and self.mofc >= LEAST_RIGHT

    @property
    def is_narrow(self) -> bool:
        """Whether it passes on its point estimate alone: the interval reaches below what is asked."""
        return self.passed and (self.half is None or self.mofc - self.half < LEAST_RIGHT)


class Line(NamedTuple):
    """A slope, and of what."""

    langs: str
    name: str  # of the set
    protocol: str
    sample: str
    metric: str
    slope: Slope


class Loss(NamedTuple):
    """What a kind of speed-up loses, in per cent of its like without it."""

    kind: str
    saved: float  # per cent of the time
    bleu: Slope
    control: Slope
    protocol: str
    sample: str
    pro: Slope
    anti: Slope
    less: Slope  # anti less pro
    women: Slope
    men: Slope
    women_less_men: Slope


class Dose(NamedTuple):
    """Accuracy of those read, by how skewed the training text was."""

    langs: str
    skew: str
    model: str
    seeds: int
    beam: int
    precision: str
    pro: float
    anti: float
    mofc: float
    unread: float


def check_baseline(results: Results, langs: str) -> Validity:
    """The baseline of a pair."""
    codes, _ = results.codes(langs, "simplegen", "epicene")
    runs = results.outputs(langs, "simplegen").runs
    groups = [item.labels["group"] for item in verdicts.read_items("simplegen", langs)]
    rows = [place for place, run in enumerate(runs) if run.skew == results.arm and read_setting(run) == BASELINE]
    if not rows:
        raise EvidenceError(f"{langs}: {_NO_BASELINE}")
    there = codes[rows][:, [group == "MOFC" for group in groups]]
    mofc = [100 * float((own == RIGHT).sum() / max(1, (own != UNREAD).sum())) for own in there]
    bleu = [results.bleu[runs[place]] for place in rows]
    return Validity(
        langs,
        len(rows),
        100 * float((codes[rows] == UNREAD).mean()),
        mean(mofc),
        _half(mofc),
        mean(float(row["newstest"]) for row in bleu),
        mean(float(row["tatoeba"]) for row in bleu),
    )


def check_points(points: Sequence[Point], langs: str) -> Validity:
    """The baseline of a pair whose points alone are known, not the translations."""
    own = [p.quality for p in points if p.key.langs == langs and read_setting(p.key) == BASELINE and p.quality]
    if not own:
        raise EvidenceError(f"{langs}: {_NO_BASELINE}")
    mofc = [value(quality, "MOFC_read", "epicene") for quality in own]
    unread = mean(value(quality, "unread", "epicene") for quality in own)
    return Validity(langs, len(own), unread, mean(mofc), _half(mofc), mean(quality.bleu for quality in own), None)


def fit_lines(results: Results, langs: str) -> Iterator[Line]:
    """Slopes of BLEU, of control words, and of gender by every reader and for every way to count the unread.

    Below each of gender: how much faster ``anti`` falls than BLEU, than control words, and than ``pro``, and women
    than men.
    """
    analysis = results.analysis(langs)
    runs = results.outputs(langs, "simplegen").runs
    bleu = {
        f"BLEU, {test}": analysis.plain([float(results.bleu[run][test]) for run in runs])
        for test in ("newstest", "tatoeba")
    }
    control = analysis.control(*_controlled(results, langs))
    plain = bleu | {"control words": control}
    for name, slope in plain.items():
        yield Line(langs, "simplegen" if slope is control else "", "", "", name, slope)
    for protocol in PROTOCOLS:
        codes, _ = results.codes(langs, "simplegen", protocol)
        for sample in SAMPLES:
            yield from _gender(analysis, codes, (langs, "simplegen", protocol, sample), plain)


def measure_losses(results: Results, langs: str) -> Iterator[Loss]:
    """What each kind of speed-up alone loses, over all architectures that have their like without it."""
    whole = results.analysis(langs)
    runs = results.outputs(langs, "simplegen").runs
    took = results.settings(langs)
    for kind in whole.kinds():
        analysis = whole.kind(kind)
        saved = analysis.plain([took[read_setting(run)] for run in runs]).value
        bleu = analysis.plain([float(results.bleu[run]["newstest"]) for run in runs])
        control = analysis.control(*_controlled(results, langs))
        for protocol in PROTOCOLS:
            codes, _ = results.codes(langs, "simplegen", protocol)
            for sample in ("unread wrong", "read"):
                pro, anti, women, men = (
                    analysis.slope(codes, group, sample) for group in ("pro", "anti", "women", "men")
                )
                lost = (pro, anti, analysis.difference(anti, pro), women, men, analysis.difference(women, men))
                yield Loss(kind, saved, bleu, control, protocol, sample, *lost)


def fit_apart(results: Results, langs: str) -> Iterator[Line]:
    """The slopes of ``anti`` with what the models of a batch share taken off, where there are several batches."""
    if len(set(results.batches(langs).values())) < 2:
        return
    analysis = results.analysis(langs, apart=True)
    for protocol in PROTOCOLS:
        codes, _ = results.codes(langs, "simplegen", protocol)
        for sample in SAMPLES:
            pro, anti = (analysis.slope(codes, group, sample) for group in ("pro", "anti"))
            yield Line(langs, "simplegen", protocol, sample, "anti", anti)
            yield Line(langs, "simplegen", protocol, sample, "anti less pro", analysis.difference(anti, pro))


def fit_winomt(results: Results, langs: str) -> Iterator[Line]:
    """The same for WinoMT's sentences of WinoBias, whose occupations are stereotyped as SimpleGEN's are."""
    items = verdicts.read_items("winomt", langs)
    groups = [_group(item) for item in items]
    columns = [place for place, group in enumerate(groups) if group]
    sentences = Sentences(
        tuple(groups[place] for place in columns), tuple(items[place].labels["occupation"] for place in columns)
    )
    runs = results.outputs(langs, "winomt").runs
    analysis = Analysis(runs, results.settings(langs), sentences, results.arm)
    codes, _ = results.codes(langs, "winomt", "epicene")
    bleu = {"BLEU, newstest": analysis.plain([float(results.bleu[run]["newstest"]) for run in runs])}
    for sample in SAMPLES:
        yield from _gender(analysis, codes[:, columns], (langs, "winomt", "epicene", sample), bleu)


def measure_doses(results: Results, langs: str) -> Iterator[Dose]:
    """Accuracy by skew, for the models that were trained with several."""
    codes, _ = results.codes(langs, "simplegen", "epicene")
    runs = results.outputs(langs, "simplegen").runs
    groups = [item.labels["group"] for item in verdicts.read_items("simplegen", langs)]
    skews = sorted({run.skew for run in runs}, key=lambda skew: (skew != MAIN, skew))
    models = sorted({run.model for run in runs if run.skew != MAIN}, reverse=True)
    for model in models:
        for precision, beam in (("float", 5), ("int8", 1)):
            for skew in skews:
                rows = [place for place, run in enumerate(runs) if run[1:3] + run[4:] == (skew, model, precision, beam)]
                if rows:
                    yield _measure_dose(codes[rows], groups, runs[rows[0]], len(rows))


def _measure_dose(own: verdicts.Codes, groups: Sequence[str], run: Run, seeds: int) -> Dose:
    def right(*names: str) -> float:
        there = own[:, [group in names for group in groups]]
        return 100 * float((there == RIGHT).sum() / max(1, (there != UNREAD).sum()))

    return Dose(
        run.langs,
        run.skew,
        run.model,
        seeds,
        run.beam,
        run.precision,
        right("MOMC", "FOFC"),
        right("MOFC", "FOMC"),
        right("MOFC"),
        100 * float((own == UNREAD).mean()),
    )


@cache
def _controlled(results: Results, langs: str) -> tuple[verdicts.Codes, Sequence[int]]:
    return verdicts.read_controlled(results.outputs(langs, "simplegen"), "simplegen", langs)


def _gender(
    analysis: Analysis, codes: verdicts.Codes, what: tuple[str, str, str, str], plain: dict[str, Slope]
) -> Iterator[Line]:
    sample = what[3]
    slopes = {group: analysis.slope(codes, group, sample) for group in GROUPS}
    for group, slope in slopes.items():
        yield Line(*what, group, slope)
    yield Line(*what, "Δ, points", analysis.gap(codes, sample))
    for name, slope in (plain | {"pro": slopes["pro"]}).items():
        yield Line(*what, f"anti less {name}", analysis.difference(slopes["anti"], slope))
    yield Line(*what, "women less men", analysis.difference(slopes["women"], slopes["men"]))


def _group(item: Item) -> str:
    return _STEREOTYPE.get((item.labels["subset"], item.labels["gold"]), "")


def _half(numbers: Sequence[float]) -> float | None:
    """Half the 95 % interval of a mean."""
    from scipy.stats import t

    many = len(numbers)
    return float(t.ppf(0.975, many - 1)) * stdev(numbers) / many**0.5 if many > 1 else None
