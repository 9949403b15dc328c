"""The study's lines: outputs come back as they were written, slopes that are there are found, with honest intervals."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

from epicene.errors import EvidenceError, InputError
from epicene_lab import arrays, outputs, verdicts
from epicene_lab.analysis import Analysis, Sentences
from epicene_lab.outputs import Run
from epicene_lab.summary import Setting
from epicene_lab.verdicts import RIGHT, UNREAD, WRONG

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


def test_a_setting_counts_once_however_many_seeds_it_has() -> None:
    about = sentences(10)
    codes = drawn(1, 0.3, about)
    found = Analysis(RUNS, TIMES, about).slope(codes, "anti", "read")
    again = [Run("en-es", "labour", "6-1", seed, "float", 5) for seed in (3, 4)]
    more = Analysis([*RUNS, *again], TIMES, about).slope(np.vstack([codes, codes[-2:]]), "anti", "read")
    assert more.value == pytest.approx(found.value)
    assert more.half != found.half


def test_what_models_that_were_trained_together_share_bends_no_line() -> None:
    """A second batch is worse in everything and holds more of the fast models: only told apart is the slope right."""
    about = sentences(1)
    more = [Run("en-es", "labour", model, seed, "float", 5) for model in ("6-1", "6-2", "6-6") for seed in (3, 4, 5)]
    runs = [*RUNS, *more[:7]]
    batches = {(run.model, run.seed): str(1 + (run in more)) for run in runs}
    noise = np.random.default_rng(1).normal(0, 0.1, len(runs))
    bleu = [
        30 * (1 - 0.002 * (100 - TIMES[Setting(run.model, "float", 5)])) - 2 * (run in more) + off
        for run, off in zip(runs, noise, strict=True)
    ]
    plain = Analysis(runs, TIMES, about).plain(bleu)
    apart = Analysis(runs, TIMES, about, batches=batches).plain(bleu)
    assert plain.value > 0.215
    assert apart.low < 0.2 < apart.high
    assert apart.half < plain.half / 3
    alone = Analysis(RUNS, TIMES, about, batches=dict.fromkeys(batches, "1")).plain(bleu)
    assert alone == Analysis(RUNS, TIMES, about).plain(bleu)


def test_what_a_kind_of_speed_up_loses_is_told_beside_its_like_without_it() -> None:
    about = sentences(10)
    runs = [
        Run("en-es", "labour", model, seed, "float", beam)
        for model in ("6-6", "6-6-aan", "6-1")
        for seed in (1, 2)
        for beam in (1, 5)
    ]
    times = {Setting(run.model, run.precision, run.beam): 100.0 - 10 * place for place, run in enumerate(runs)}
    anti = [place for place, group in enumerate(about.groups) if group in ("MOFC", "FOMC")]
    codes = np.full((len(runs), len(about.groups)), RIGHT, np.int8)
    for run, row in zip(runs, codes, strict=True):
        row[anti[:: 5 if run.model == "6-6-aan" else len(anti)]] = WRONG  # a fifth more, whatever the beam
    analysis = Analysis(runs, times, about)
    found = analysis.kind("AAN").slope(codes, "anti", "read")
    assert found.value == pytest.approx(100 * (1 - 0.8 / (1 - 1 / len(anti))))
    assert found.low < found.value < found.high
    assert analysis.kind("AAN").slope(codes, "pro", "read").value == 0
    assert analysis.kind("beam 1").slope(codes, "anti", "read").value == pytest.approx(0)
    assert analysis.kind("shallow decoder").plain([10 - 2 * (run.model == "6-1") for run in runs]).value == 20
    assert analysis.kinds() == ["beam 1", "AAN", "shallow decoder"]
    with pytest.raises(EvidenceError, match="int8"):
        analysis.kind("int8")


def test_half_the_variance_of_seeds_is_left_with_twice_as_many() -> None:
    about = sentences(10)
    analysis = Analysis(RUNS, TIMES, about)
    bleu = analysis.plain([30, 29, 28, 29.5, 27, 28, 25, 26.5])
    assert analysis.half(bleu.parts) == pytest.approx(bleu.half)
    more = analysis.half(bleu.parts, [4] * 4)
    assert more == pytest.approx(bleu.half / 2**0.5 * 2.1788 / 2.7764, rel=1e-3)  # t of 12 and of 4 degrees of freedom
    anti = analysis.slope(drawn(1, 0.3, about), "anti", "read")
    endless = analysis.half(anti.parts, [10**6] * 4)
    assert 0 < endless < analysis.half(anti.parts, [4] * 4) < anti.half


def test_times_that_are_known_badly_widen_intervals_as_much_as_they_move_the_slope() -> None:
    about, codes = sentences(40), drawn(1, 0.4, sentences(40))
    fast = Setting("6-1", "float", 5)
    plain = Analysis(RUNS, TIMES, about).slope(codes, "anti", "read")
    moved = Analysis(RUNS, TIMES | {fast: TIMES[fast] - 0.5}, about).slope(codes, "anti", "read")
    unsure = Analysis(RUNS, TIMES, about, errors={fast: 0.5}).slope(codes, "anti", "read")
    assert unsure.value == plain.value
    assert unsure.parts.times.sum() == pytest.approx(moved.value - plain.value, rel=0.05)
    assert unsure.half > plain.half


def test_with_one_seed_each_what_the_line_leaves_is_the_noise() -> None:
    about = sentences(10)
    analysis = Analysis(RUNS[::2], TIMES, about)
    exact, bent = analysis.plain([100, 90, 75, 65]), analysis.plain([100, 80, 85, 60])
    assert (exact.value, exact.half) == (pytest.approx(0.5), pytest.approx(0, abs=1e-6))
    assert bent.half > 0.1
    with pytest.raises(EvidenceError, match="2 trained models say nothing about how much a seed matters"):
        Analysis(RUNS[:4:2], TIMES, about).plain([1, 2, 3])


def test_what_not_every_model_was_decoded_with_is_left_out() -> None:
    extra = Run("en-es", "labour", "6-6", 1, "int8", 5)
    times = TIMES | {Setting("6-6", "int8", 5): 70.0}
    assert extra not in Analysis([extra, *RUNS], times, sentences(1)).runs


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
    assert found.texts == (("x y", "a b"), ("c", ""))  # 6-4 stands before 6-6
    assert [found.of(run) for run in said] == [["a b", "c"], ["a b", ""], ["x y", "c"]]
    many = {RUNS[0]: [" ".join(f"w{number}" for number in range(60_000))]}  # beyond the letters of two bytes
    outputs.write(tmp_path / "many.xz", many)
    assert outputs.read(tmp_path / "many.xz").of(RUNS[0]) == many[RUNS[0]]


def test_broken_outputs_are_refused(tmp_path: Path) -> None:
    for content, told in (
        (b"no archive", "cannot read outputs in"),
        (lzma.compress("[]".encode("utf-16-le")), "cannot read outputs in"),
        (lzma.compress("[]\na b\n\u0100".encode("utf-16-le")), "cut short"),
        (
            lzma.compress('[["en-es", "labour", "6-6", 1, "float", 5]]\na\n\u0100\n\u0101'.encode("utf-16-le")),
            "1 places for 1 runs",
        ),
    ):
        (tmp_path / "o.xz").write_bytes(content)
        with pytest.raises(InputError, match=told):
            outputs.read(tmp_path / "o.xz")


@pytest.mark.parametrize("how", [arrays.PLAIN, arrays.PACKED, arrays.SMALLEST])
def test_arrays_come_back_or_are_refused(tmp_path: Path, how: int) -> None:
    numbers = np.random.default_rng(1).integers(0, 3, (40, 100)).astype(np.int8)
    arrays.save(tmp_path / "a.npz", {"codes": numbers, "codes.reader": "reading1@1"}, how)
    found = arrays.load(tmp_path / "a.npz")
    assert (found["codes"] == numbers).all()
    assert str(found["codes.reader"]) == "reading1@1"
    whole = (tmp_path / "a.npz").read_bytes()
    for broken in (whole[:100] + b"\xff" * 50 + whole[150:], whole[:-30], b""):
        (tmp_path / "a.npz").write_bytes(broken)
        with pytest.raises(InputError, match=r"cannot read .*a\.npz"):
            arrays.load(tmp_path / "a.npz")


def test_control_words_are_those_that_name_no_gender() -> None:
    stems = verdicts.list_stems("The nurse screamed when she saw the mouse.", "de")
    assert len(stems) == 3
    assert verdicts.count_stems("Die Krankenschwester schrie, als sie die Maus sah.", stems) == 3
    assert verdicts.count_stems("Der Pfleger schrie.", stems) == 1
