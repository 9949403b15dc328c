"""The shipped study: 14 architectures in four modes and two directions, all timed; the check of its baselines."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from epicene.errors import EvidenceError
from epicene.output.table import Table, format_cell
from epicene_lab import arrays, claim, outputs, recipe
from epicene_lab.analysis import SAMPLES
from epicene_lab.points import LAB, PROTOCOLS
from epicene_lab.recipes.simplegen import power
from epicene_lab.shipped import CODES, MAIN, Results, shipped
from epicene_lab.studies.simplegen import answer
from epicene_lab.summary import BASELINE, Setting, average_times, read_setting
from epicene_lab.tables import table
from epicene_lab.verdicts import UNREAD
from tests.conftest import Command

PAIRS = ("en-es", "en-de")


@pytest.fixture(scope="module")
def found() -> Results:
    """All that is shipped."""
    return Results(shipped())


@pytest.fixture(scope="module")
def lines(found: Results) -> dict[str, list[claim.Line]]:
    """The lines of all metrics over speed, by language pair."""
    return {langs: list(claim.fit_lines(found, langs)) for langs in PAIRS}


@pytest.fixture(scope="module")
def answered(found: Results) -> list[Table]:
    """What the study answers."""
    return list(answer.answer(found))


@pytest.mark.parametrize("langs", PAIRS)
def test_all_architectures_are_measured_and_timed_in_all_modes(found: Results, langs: str) -> None:
    names = {shape.name for shape in recipe.load("paper").shapes}
    wanted = {Setting(name, bits, beam) for name in names for bits in ("float", "int8") for beam in (1, 5)}
    runs = found.outputs(langs, "simplegen").runs
    seeds = Counter(Setting(run.model, run.precision, run.beam) for run in runs if run.skew == MAIN)
    assert len(wanted) == 56
    assert set(seeds) == wanted == set(found.settings(langs))
    assert min(seeds.values()) >= 2
    assert {name for (name, *_), number in seeds.items() if number >= 3} >= {"6-6", "6-1", "6-6-aan", "6-1-aan"}
    assert {run.skew for run in runs} == {MAIN, "50", "75", "95"}


@pytest.mark.parametrize("langs", PAIRS)
def test_the_baseline_passes_the_validity_check(found: Results, langs: str) -> None:
    check = claim.check_baseline(found, langs)
    assert check.passed
    assert check.unread < 2
    assert check.seeds >= {"en-es": 4, "en-de": 6}[langs]
    assert check.is_narrow == (langs == "en-de"), "the German one passes on its point estimate alone"
    assert check.half is not None
    assert langs == "en-de" or check.mofc - check.half > 2 * claim.LEAST_RIGHT


def test_the_models_that_were_replaced_are_shown_beside_those_that_took_their_place(found: Results) -> None:
    names = [arm.name for arm in answer.list_arms(found)]
    assert names == ["first en-es", "en-es", "en-de"]
    (first,) = [arm for arm in answer.list_arms(found) if arm.name == "first en-es"]
    assert not claim.check_baseline(first.results, first.langs).passed
    findings = {(each.question, each.axis, each.sample): each for each in answer.ask_questions(first)}
    supports = findings["anti less pro", answer.MEASURED, "read by all"]
    assert supports.shown
    assert supports.slopes["paper"].value == pytest.approx(0.246, abs=0.01)


def test_the_papers_factors_multiplied_come_near_the_papers_stacked_times() -> None:
    """Table 4b is measured, the product of Table 4a's factors is not: they are up to 11 points apart, as the docs say."""
    for langs in PAIRS:
        credited = answer.credit_times(langs)
        assert credited[BASELINE] == 100
        assert len(credited) == 24
        rows = [row for row in table("lab", "published.tsv") if (row["table"], row["langs"]) == ("4b", langs)]
        for row in rows[1:-1]:
            setting = Setting(row["model"], row["precision"], int(row["beam"]))
            published = 100 * float(row["time"]) / float(rows[0]["time"])
            assert credited[setting] == pytest.approx(published, abs=11), row["row"]


def test_what_did_not_pass_is_shown_on_request_alone_and_with_a_warning(
    found: Results, epicene: Command, tmp_path: Path
) -> None:
    for path in found.folder.iterdir():
        (tmp_path / path.name).symlink_to(path)
    codes = arrays.load(found.folder / CODES)
    baselines = [run.skew == MAIN and read_setting(run) == BASELINE for run in found.outputs("en-es", "simplegen").runs]
    codes["en-es.simplegen.epicene"][baselines, ::9] = UNREAD
    (tmp_path / CODES).unlink()
    arrays.save(tmp_path / CODES, codes)

    def about_speed(*options: str) -> dict[str, list[str]]:
        done = epicene("study", "simplegen", "-i", f"results={tmp_path}", "-f", "json", *options)
        tables = json.loads(done.stdout)[0]["tables"]
        return {
            each["title"]: each["notes"]
            for each in tables
            if each["title"].startswith(("What speed", "What each", "Does anti"))
        }

    usual, every = about_speed(), about_speed("--anyway")
    assert [title for title in usual if "en-de" in title]
    assert not [title for title in usual if "en-es" in title]
    assert [title for title in every if "en-es" in title]
    assert all(("failed the validity check" in " ".join(notes)) == ("en-es" in title) for title, notes in every.items())


def test_without_a_baseline_there_is_nothing_to_check(found: Results, tmp_path: Path) -> None:
    said = found.outputs("en-es", "simplegen")
    runs = [run for run in said.runs if run.model == "6-1" and run.seed == 1]
    outputs.write(tmp_path / "en-es.simplegen.xz", {run: said.of(run) for run in runs})
    with pytest.raises(EvidenceError, match="no run of the baseline"):
        claim.check_baseline(Results(tmp_path), "en-es")


@pytest.mark.parametrize("langs", PAIRS)
def test_speed_costs_words(lines: dict[str, list[claim.Line]], langs: str) -> None:
    words = [line for line in lines[langs] if line.metric.startswith(("BLEU", "control"))]
    assert words
    assert all(line.slope.low > 0 for line in words)


def test_the_answer_says_in_three_sentences_what_the_intervals_say(answered: list[Table]) -> None:
    """An arm is named as shown, with its interval, where one lies above 0; and apart if its baseline fails the check."""
    first, slopes, *_ = answered
    (stereotype, women, trust) = first.notes
    assert not [sentence for sentence in first.notes if ". " in sentence.removesuffix(".")]
    measured = [row for row in slopes.rows if row[2] == answer.MEASURED]
    for sentence, question in ((stereotype, "anti - pro"), (women, "women - men")):
        for name, _, _, *cells in (row for row in measured if row[1] == question):
            shown = [
                f"{name} ({value:.2f} [{low:.2f}, {high:.2f}]"
                for value, (low, high) in (cells[:2], cells[2:])
                if low > 0
            ]
            assert shown[0] in sentence if shown else re.search(rf"not shown in [^;]*\b{name}\b", sentence)
        assert re.search(r"first en-es[^;]*, whose baseline fails the validity check", sentence)
    assert "after Figure A2 had been seen" in women
    assert "first en-es fails" in trust
    assert "en-de only just passes" in trust
    assert "own sentences" in trust


@pytest.mark.parametrize("langs", PAIRS)
def test_women_lose_more_than_men_with_speed(lines: dict[str, list[claim.Line]], langs: str) -> None:
    """By both readers and however the unread count, but for German where they count as right."""
    own = [line for line in lines[langs] if line.metric == "women less men"]
    assert len(own) == len(PROTOCOLS) * len(SAMPLES)
    for line in own:
        assert line.slope.low > 0 or (langs, line.sample) == ("en-de", "unread right"), line


@pytest.mark.parametrize("langs", PAIRS)
def test_a_shallow_decoder_costs_women_more_than_men(found: Results, langs: str) -> None:
    losses = [loss for loss in claim.measure_losses(found, langs) if loss.kind == "shallow decoder"]
    assert losses
    for loss in losses:
        assert loss.women_less_men.low > 0, loss


def test_the_docs_print_both_questions_as_the_study_does(answered: list[Table]) -> None:
    _, slopes, *_ = answered
    docs = Path(__file__).parents[2].joinpath("docs", "lab.md").read_text(encoding="utf-8")
    for row in slopes.rows:
        cells = [cell if isinstance(cell, str) else format_cell(cell, 2) for cell in row]
        assert f"| {' | '.join(cells)} |" in docs


def test_results_of_one_batch_have_nothing_to_take_apart(found: Results, tmp_path: Path) -> None:
    """As results from before batches were recorded are."""
    for path in found.folder.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "bleu.csv").unlink()
    lines = (found.folder / "bleu.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "bleu.csv").write_text("".join(f"{line.rpartition(',')[0]}\n" for line in lines), encoding="utf-8")
    assert list(claim.fit_apart(found, "en-de"))
    assert not list(claim.fit_apart(Results(tmp_path), "en-de"))
    assert claim.check_baseline(Results(tmp_path), "en-de") == claim.check_baseline(found, "en-de")


@pytest.mark.parametrize("langs", PAIRS)
def test_the_slopes_are_known_to_a_tenth(found: Results, langs: str) -> None:
    """By both readers and however the unread count; a little less of the few sentences that all German runs read."""
    for protocol, sample, group in product(PROTOCOLS, SAMPLES, ("pro", "anti")):
        codes, _ = found.codes(langs, "simplegen", protocol)
        half = found.analysis(langs).slope(codes, group, sample).half
        few = (langs, sample) == ("en-de", "read by all")
        assert half < ({"epicene": 0.105, "paper": 0.14}[protocol] if few else 0.1), (protocol, sample, group)


def test_average_attention_costs_german_gender(found: Results) -> None:
    """By both readers and however the unread count; what pro loses is taken off."""
    losses = [loss for loss in claim.measure_losses(found, "en-de") if loss.kind == "AAN"]
    assert max(loss.less.low for loss in losses) > 1
    for loss in losses:
        assert loss.less.low > 0, loss
        assert loss.bleu.low > 0, loss


@pytest.mark.parametrize("langs", PAIRS)
def test_the_skew_of_the_text_moves_what_speed_does_not(found: Results, langs: str) -> None:
    """In German it moves MOFC too."""
    rows = {(row.model, row.skew): row for row in claim.measure_doses(found, langs) if row.precision == "float"}
    for model in ("6-6", "6-1"):
        gap = [rows[model, skew].pro - rows[model, skew].anti for skew in ("50", "75", "95")]
        mofc = [rows[model, skew].mofc for skew in ("50", "75", "95")]
        assert gap[0] < gap[1] < gap[2]
        assert gap[2] - gap[0] > 10
        assert langs != "en-de" or (mofc[0] > mofc[1] > mofc[2] and mofc[0] - mofc[2] > 10)


def test_speed_ups_are_faster_than_the_baseline(found: Results) -> None:
    here = [point for point in found.points() if point.key.langs == "en-es" and point.key.engine == LAB]
    took = {each: time.value for each, time in average_times(here).items()}
    for row in table("lab", "published.tsv"):
        if row["model"]:
            assert Setting(row["model"], row["precision"], int(row["beam"])) in took, row["row"]
    assert all(point.time.repeats >= 5 for point in here if point.time)
    for faster in ("6-6 float 1", "10-2 float 5", "6-2 float 5"):
        model, precision, beam = faster.split()
        assert took[Setting(model, precision, int(beam))] < took[BASELINE] == pytest.approx(100, abs=5)
    assert read_setting(here[0].key) in took


def test_the_plan_states_the_power_that_its_command_prints(found: Results) -> None:
    """Of 4 seeds, and with ever more: wider in German, whose baselines vary more."""
    plan = Path(__file__).parents[2].joinpath("docs", "lab.md").read_text(encoding="utf-8")
    for line in power.expect_power("plan", found.folder):
        (pair, question), numbers = line.split(":")[0].split(", "), re.findall(r"\d\.\d+", line)
        assert f"| {pair} | {question} | {' | '.join(numbers)} |" in plan
