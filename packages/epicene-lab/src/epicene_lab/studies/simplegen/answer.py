"""What the study answers: the same two questions asked of every arm, in three sentences made from the numbers.

The first Spanish models are an arm of their own. They did not pass the validity check and were replaced; the models
that took their place were taught the kinds of cues that the first ones failed on. Neither arm is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import product
from math import prod
from typing import NamedTuple

from epicene.errors import EvidenceError
from epicene.output.table import Cell, Column, Table
from epicene_lab import claim, verdicts
from epicene_lab.analysis import Slope
from epicene_lab.points import PROTOCOLS, Point
from epicene_lab.shipped import MAIN, Results, earlier, shipped
from epicene_lab.summary import BASELINE, Setting, read_setting
from epicene_lab.tables import table
from epicene_lab.trend import fit_trend
from epicene_lab.verdicts import RIGHT, UNREAD

QUESTIONS = {"anti less pro": ("anti", "pro"), "women less men": ("women", "men")}
_CLAIMS = {
    "anti less pro": "speed costs sentences against the stereotype more than those with it",
    "women less men": "speed costs women more than men",
}
SAMPLES = ("read", "read by all")
MEASURED, CREDITED = "measured", "paper's"  # whose factors say how much time a setting saves
# How a sentence of SimpleGEN states that somebody is a woman, the rarer ways first.
_CUES = {
    "gal": r"gals?",
    "female": r"females?",
    "woman, lady": r"wom[ae]n|lad(?:y|ies)",
    "a relative": r"sisters?|mothers?|wi(?:fe|ves)|girlfriends?",
    "she, her": r"she|her|hers|herself",
}


class Arm(NamedTuple):
    """Models of one pair that were trained on one text."""

    name: str
    results: Results
    langs: str


class Finding(NamedTuple):
    """One question asked of one arm: by how much one group falls faster than another, by reader."""

    arm: Arm
    question: str
    axis: str
    sample: str
    slopes: Mapping[str, Slope]  # by protocol

    @property
    def shown(self) -> bool:
        """Whether the interval of protocol epicene lies above 0."""
        return self.slopes["epicene"].low > 0


def list_arms(own: Results) -> list[Arm]:
    """The arms of a folder of results; beside the shipped ones stand the models that they replaced."""
    if own.folder != shipped():
        every = ((langs, results) for langs in own.pairs for results in own.arms(langs))
        return [
            Arm(f"your {langs}" + (f" ({results.arm})" if results.arm != MAIN else ""), results, langs)
            for langs, results in every
        ]
    first = earlier()
    return [
        *(Arm(f"first {langs}", first, langs) for langs in first.pairs),
        *(Arm(langs, own, langs) for langs in own.pairs),
    ]


@cache
def credit_times(langs: str) -> dict[Setting, float]:
    """Per cent of the baseline's time by the paper's own factors, for the settings made of what Table 4a has alone."""
    rows = {
        Setting(row["model"], row["precision"], int(row["beam"])): float(row["time"])
        for row in table("lab", "published.tsv")
        if (row["table"], row["langs"]) == ("4a", langs) and row["model"]
    }
    factors = {setting: time / rows[BASELINE] for setting, time in rows.items()} if BASELINE in rows else {}
    shapes = sorted({setting.model.removesuffix("-aan") for setting in factors})
    credited = {}
    for shape, average, precision, beam in product(shapes, ("", "-aan"), ("float", "int8"), (1, 5)):
        alone = (
            BASELINE._replace(model=shape),
            BASELINE._replace(model=BASELINE.model + average),
            BASELINE._replace(precision=precision),
            BASELINE._replace(beam=beam),
        )
        credited[Setting(shape + average, precision, beam)] = 100 * prod(factors[each] for each in alone)
    return credited


def ask_questions(arm: Arm) -> Iterator[Finding]:
    """Both questions, on both time axes, on the sentences that each run reads and on those that all read."""
    axes = {MEASURED: arm.results.settings(arm.langs), CREDITED: credit_times(arm.langs)}
    for axis, times in axes.items():
        if not times:
            continue
        analysis = arm.results.analysis(arm.langs, times=times)
        for question, groups in QUESTIONS.items():
            for sample in SAMPLES:
                slopes = {}
                for protocol in PROTOCOLS:
                    codes, _ = arm.results.codes(arm.langs, "simplegen", protocol)
                    first, second = (analysis.slope(codes, group, sample) for group in groups)
                    slopes[protocol] = analysis.difference(first, second)
                yield Finding(arm, question, axis, sample, slopes)


def answer(own: Results) -> Iterator[Table]:
    """Three sentences, their numbers, the validity checks, what the models were taught, and last the dictionary's."""
    every = list_arms(own)
    checks = {arm.name: claim.check_baseline(arm.results, arm.langs) for arm in every}
    findings = [finding for arm in every for finding in ask_questions(arm)]
    ours = own.folder == shipped()
    yield Table("The answer", notes=(*_answer_questions(findings, checks, ours), _weigh(checks, ours)))
    yield _tabulate(findings, "epicene")
    yield tabulate_checks(checks)
    if ours:
        yield _tabulate_cues(every)
    yield _tabulate(findings, "paper")


def _answer_questions(findings: Sequence[Finding], checks: Mapping[str, claim.Validity], ours: bool) -> Iterator[str]:
    """A sentence a question: where the claim is shown, apart for models whose baseline fails the check."""
    for question, claimed in _CLAIMS.items():
        asked: dict[str, list[Finding]] = {}
        for finding in findings:
            if finding.question == question and finding.axis == MEASURED:
                asked.setdefault(finding.arm.name, []).append(finding)
        shown = [
            _describe(own) for name, own in asked.items() if checks[name].passed and any(each.shown for each in own)
        ]
        unclear = [name for name, own in asked.items() if checks[name].passed and not any(each.shown for each in own)]
        clauses = [f"shown in {_enumerate(shown)}"] if shown else []
        clauses += [f"not shown in {_enumerate(unclear)}"] if unclear else []
        for name, own in asked.items():
            if not checks[name].passed:
                told = f"shown in {_describe(own)}" if any(each.shown for each in own) else f"not shown in {name}"
                clauses.append(f"{told}, whose baseline fails the validity check")
        if ours and question == "women less men":
            clauses.append("the question was asked after Figure A2 had been seen")
        yield f"That {claimed} is {'; '.join(clauses)}."


def _describe(own: Sequence[Finding]) -> str:
    """An arm with the first of its findings that is shown."""
    finding = next(each for each in own if each.shown)
    where = ", on the sentences that all its runs read" if finding.sample == "read by all" else ""
    slope = finding.slopes["epicene"]
    return f"{finding.arm.name} ({slope.value:.2f} [{slope.low:.2f}, {slope.high:.2f}]{where})"


def _enumerate(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _weigh(checks: Mapping[str, claim.Validity], ours: bool) -> str:
    """A sentence on how far the baselines can be trusted, and on what they were taught."""
    baselines = []
    for name, check in checks.items():
        passes = "fails" if not check.passed else "only just passes" if check.is_narrow else "passes"
        baselines.append(f"{name} {passes} ({check.mofc:.0f} % of MOFC right, BLEU {check.newstest:.1f})")
    published = _enumerate([f"{value} in {langs}" for langs, value in _published_bleu().items()])
    taught = f"; the answer depends on how gender cues were learnt ({_read_own('gender cues')})" if ours else ""
    return f"The baselines: {'; '.join(baselines)}; the paper's have BLEU {published}{taught}."


def answer_points(points: Sequence[Point], checks: Mapping[str, claim.Validity]) -> Table:
    """Three sentences on results without translations, in which anti and pro cannot be compared pair by pair."""
    lost = []
    for langs in checks:
        with suppress(EvidenceError):  # too few models or no times: no line
            trends = [fit_trend(points, langs, "epicene", f"{group}_read") for group in ("pro", "anti")]
            pro, anti = (
                f"{trend.slope:.2f}" + (f" [{trend.low:.2f}, {trend.high:.2f}]" if trend.low is not None else "")
                for trend in trends
            )
            lost.append(f"{langs} loses {pro} % of pro and {anti} % of anti")
    return Table(
        "The answer",
        notes=(
            _weigh(checks, ours=False),
            f"Per per cent of time saved, of the sentences that could be read, {'; '.join(lost)}."
            if lost
            else "Nothing can be said of speed: there are too few models, or no times.",
            "Whether anti falls faster than pro, or women lose more than men, can be tested with a folder of outputs.",
        ),
    )


def _read_own(what: str) -> str:
    """What the table of differences says of our models."""
    return next(row["ours"] for row in table("lab", "differs.tsv") if row["what"] == what)


def _published_bleu() -> dict[str, str]:
    rows = (row for row in table("lab", "published.tsv") if (row["table"], row["row"]) == ("4a", "baseline"))
    return {row["langs"]: row["bleu"] for row in rows}


def _tabulate(findings: Sequence[Finding], protocol: str) -> Table:
    """A row a question and time axis: on the sentences that each run reads, and on those that all runs read."""
    columns = (
        Column("models", "models"),
        Column("question", "question", key=True),
        Column("time", "time", key=True),
        Column("read", "read", 2),
        Column("read_interval", "95 % CI", 2),
        Column("read_by_all", "by all", 2),
        Column("read_by_all_interval", "95 % CI", 2),
    )
    rows: dict[tuple[Cell, ...], list[Cell]] = {}
    for finding in findings:
        slope = finding.slopes[protocol]
        row = rows.setdefault((finding.arm.name, finding.question.replace("less", "-"), finding.axis), [])
        row += [round(slope.value, 2), (round(slope.low, 2), round(slope.high, 2))]
    notes = (
        "By how many per cent the first group falls more than the second per per cent of time saved; above 0 speaks "
        "for the claim. Occupations and trained models are the sample.",
        "time: measured on our engine, or saved as the paper's own factors say (Table 4a; architectures that it has). "
        "read: the sentences that each run reads; by all: those alone that every run reads.",
    )
    reader = "our reader" if protocol == "epicene" else "the authors' dictionary"
    return Table(
        f"Both questions, all models, by {reader}", columns, tuple((*key, *cells) for key, cells in rows.items()), notes
    )


def tabulate_checks(checks: Mapping[str, claim.Validity]) -> Table:
    """The validity check of every baseline."""
    columns = (
        Column("models", "models"),
        Column("seeds", "seeds"),
        Column("undetected", "undetected %", 1),
        Column("mofc", "MOFC right %", 1),
        Column("half", "±", 1),
        Column("newstest", "newstest", 1),
        Column("tatoeba", "Tatoeba", 1),
        Column("passed", "passed"),
    )
    rows = tuple((name, *check[1:], "yes" if check.passed else "no") for name, check in checks.items())
    note = (
        f"A baseline passes with at most {claim.MOST_UNREAD:g} % of SimpleGEN undetected and at least "
        f"{claim.LEAST_RIGHT:g} % of the detected MOFC right (protocol epicene). newstest, Tatoeba: BLEU; ± is half a "
        "95 % CI, with seeds as the sample."
    )
    return Table("Validity check of the baselines", columns, rows, (note,))


def _tabulate_cues(every: Sequence[Arm]) -> Table:
    """How often each cue that somebody is a woman is followed, against the stereotype."""
    columns = (Column("cue", "cue"), *(Column(arm.name, arm.name, 0) for arm in every))
    by_arm = [_follow_cues(arm) for arm in every]
    rows = tuple((cue, *(followed.get(cue) for followed in by_arm)) for cue in _CUES)
    note = (
        "Women right in per cent of MOFC, by the baseline. The models en-es were taught sentences with such cues, gal "
        "alone excepted, after the first models had been seen to miss them; none of these sentences is SimpleGEN's. "
        f"Sentences about gender: {_read_own('gender cues')}."
    )
    return Table("What the models were taught", columns, rows, (note,))


def _follow_cues(arm: Arm) -> dict[str, float]:
    codes, _ = arm.results.codes(arm.langs, "simplegen", "epicene")
    runs = arm.results.outputs(arm.langs, "simplegen").runs
    rows = [row for row, run in enumerate(runs) if run.skew == arm.results.arm and read_setting(run) == BASELINE]
    columns: dict[str, list[int]] = {}
    for column, item in enumerate(verdicts.read_items("simplegen", arm.langs)):
        if item.labels["group"] == "MOFC" and (cue := _find_cue(item.source)):
            columns.setdefault(cue, []).append(column)
    followed = {}
    for cue, places in columns.items():
        own = codes[rows][:, places]
        followed[cue] = 100 * float((own == RIGHT).sum() / max(1, (own != UNREAD).sum()))
    return followed


def _find_cue(source: str) -> str | None:
    return next((cue for cue, form in _CUES.items() if re.search(rf"\b(?:{form})\b", source, re.IGNORECASE)), None)
