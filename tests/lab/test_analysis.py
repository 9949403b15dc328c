"""The study's lines: outputs come back as they were written, slopes that are there are found, with honest intervals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from epicene.errors import EvidenceError, InputError
from epicene.lab import control, outputs
from epicene.lab.analysis import Analysis, Sentences
from epicene.lab.outputs import Run
from epicene.lab.summary import Setting
from epicene.lab.verdicts import RIGHT, UNREAD, WRONG

RUNS = [Run("en-es", "labour", model, seed, "float", 5) for model in ("6-6", "6-4", "6-2", "6-1") for seed in (1, 2)]
TIMES = {Setting("6-6", "float", 5): 100.0, Setting("6-4", "float", 5): 80.0}
TIMES |= {Setting("6-2", "float", 5): 50.0, Setting("6-1", "float", 5): 30.0}
GROUPS = ("MOMC", "MOFC", "FOFC", "FOMC")


def sentences(each: int = 10) -> Sentences:
    """As many sentences for each of nine occupations of men and nine of women in both contexts."""
    rows = [(f"{kind}O{gender}C", f"{kind}{number}") for kind in "MF" for number in range(9) for gender in "MF"]
    return Sentences(
        tuple(row[0] for row in rows for _ in range(each)), tuple(row[1] for row in rows for _ in range(each))
    )


def drawn(seed: int, steep: float, about: Sentences, spread: float = 0.08) -> np.ndarray:
    """Codes of runs whose accuracy falls with the time saved, with occupations that differ."""
    generator = np.random.default_rng(seed)
    names = sorted(set(about.occupations))
    lift = dict(zip(names, generator.normal(0, spread, len(names)), strict=True))
    rows = []
    for run in RUNS:
        lost = steep * (100 - TIMES[Setting(run.model, "float", 5)]) / 100
        chance = 0.7 * (1 - lost) + generator.normal(0, 0.005)
        rows.append([generator.random() < chance + lift[name] for name in about.occupations])
    return np.array(rows, np.int8)


def test_a_slope_that_is_there_is_found() -> None:
    about = sentences(40)
    analysis = Analysis(RUNS, TIMES, about)
    found = analysis.slope(drawn(1, 0.4, about), "anti", "read")
    assert found.low < 0.4 < found.high
    assert found.low > 0
    assert analysis.difference(found, found).value == 0


def test_intervals_cover_what_they_should_when_occupations_differ() -> None:
    about = sentences(10)
    analysis = Analysis(RUNS, TIMES, about)
    slopes = [analysis.slope(drawn(seed, 0.3, about), "anti", "read") for seed in range(60)]
    assert sum(each.low < 0.3 < each.high for each in slopes) >= 52


def test_the_same_draws_come_on_every_run() -> None:
    """Whatever order Python's sets have: an interval of a run can be compared with that of another."""
    about = sentences(10)
    found = Analysis(RUNS, TIMES, about).slope(drawn(1, 0.3, about), "anti", "read")
    assert (found.low, found.high) == (pytest.approx(-0.0841693), pytest.approx(0.3845030))


def test_the_unread_count_as_asked() -> None:
    about = Sentences(GROUPS, ("m", "m", "f", "f"))
    runs, times = RUNS[:4], TIMES
    codes = np.array([[RIGHT, RIGHT, RIGHT, UNREAD], [RIGHT, WRONG, RIGHT, RIGHT]] * 2, np.int8)
    analysis = Analysis(runs, times, about)
    rates = {
        sample: analysis.accuracy(codes, "anti", sample)[:2].tolist()
        for sample in ("unread wrong", "unread right", "read", "read by all")
    }
    assert rates == {
        "unread wrong": [50, 50],
        "unread right": [100, 50],
        "read": [100, 50],
        "read by all": [100, 0],
    }


def test_without_a_baseline_nothing_is_compared() -> None:
    with pytest.raises(EvidenceError, match="no run of the baseline"):
        Analysis(RUNS[2:], TIMES, sentences(1))


def test_outputs_are_read_back(tmp_path: Path) -> None:
    said = {RUNS[0]: ["a b", "c"], RUNS[1]: ["a  b", ""], RUNS[2]: ["x\ty", "c"]}
    outputs.write(tmp_path / "o.xz", said)
    found = outputs.read(tmp_path / "o.xz")
    assert found.texts == (("a b", "x y"), ("c", ""))
    assert [found.of(run) for run in said] == [["a b", "c"], ["a b", ""], ["x y", "c"]]
    (tmp_path / "o.xz").write_bytes(b"no archive")
    with pytest.raises(InputError, match="cannot read outputs in"):
        outputs.read(tmp_path / "o.xz")


def test_control_words_are_those_that_name_no_gender() -> None:
    stems = control.wanted("The nurse screamed when she saw the mouse.", "de")
    assert len(stems) == 3
    assert control.found("Die Krankenschwester schrie, als sie die Maus sah.", stems) == 3
    assert control.found("Der Pfleger schrie.", stems) == 1
