"""What people decide comes back: corrected rates, the detector's errors and the report, by command and by function."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from epicene import apply_review, export_review, open_run, score
from epicene.measures.outcomes import Outcomes
from epicene.result import Result
from epicene.review.corrected import correct
from epicene.review.plan import Case, cases, queue
from epicene.review.store import Decision, Decisions
from epicene.sets import winomt
from epicene.sets.wibemt import measures as wibemt
from epicene.store import runs
from epicene.types import Gender, Item, Output, Person, Verdict
from tests.conftest import Command
from tests.review.conftest import scored, write_run

# What is really written: "Die Chirurgin" is a woman, "Blorp" nobody can tell; the rest is read rightly, but every tenth.
F, M, N, U = Gender


def truth(case: Case) -> Gender:
    """What people say: the detector is right but for every tenth masculine sentence that it is sure of."""
    place = int(case.key.id)
    if case.verdict.gender is M and place % 10 == 1:
        return F
    return case.verdict.gender


def decided(result: Result, number: int | None = None, say: Callable[[Case], Gender] = truth) -> list[Decision]:
    order, planned = queue(cases([result]))
    return [
        Decision(case.key, case.verdict.output.text, "anna", say(case))
        for case in order[: planned if number is None else number]
    ]


@pytest.fixture
def result(tmp_path: Path) -> Result:
    return scored(tmp_path, 1000)


def test_rates_move_to_what_people_read(result: Result) -> None:
    (found,) = correct([result], decided(result))
    real = sum(truth(case) is case.verdict.output.item.expected for case in cases([result])) / 10
    accuracy = found["accuracy"]
    assert accuracy.corrected is not None
    assert accuracy.corrected.low < real < accuracy.corrected.high
    assert abs(accuracy.corrected.value - real) < abs((accuracy.value or 0) - real)
    share = found["share", "feminine"].corrected
    assert share is not None
    assert share.low < sum(truth(case) is F for case in cases([result])) / 10 < share.high
    assert found["share", "masculine"].value == result["share", "masculine"].value


def test_once_all_is_read_the_rate_is_that_of_people(result: Result) -> None:
    (found,) = correct([result], decided(result, 1000))
    real = sum(truth(case) is case.verdict.output.item.expected for case in cases([result])) / 10
    assert found["accuracy"].corrected is not None
    assert found["accuracy"].corrected.value == pytest.approx(real)


def test_precision_and_recall_are_those_of_the_detector(result: Result) -> None:
    (found,) = correct([result], decided(result, 1000))
    assert found.review is not None
    known = {(each.name, each.group): each for each in found.review.measures}
    every = cases([result])
    both = sum(case.verdict.gender is M and truth(case) is M for case in every)
    men = sum(case.verdict.gender is M for case in every)
    women = [case for case in every if truth(case) is F]
    assert known["precision", "masculine"].value == pytest.approx(100 * both / men)
    assert known["recall", "masculine"].value == pytest.approx(100)
    assert known["recall", "feminine"].value == pytest.approx(
        100 * sum(case.verdict.gender is F for case in women) / len(women)
    )
    assert ("recall", "neutral") not in known
    for each in known.values():
        assert each.low is not None
        assert each.high is not None
        assert each.value is not None
        assert each.low <= each.value <= each.high


def test_doubtful_sentences_alone_correct_nothing(result: Result) -> None:
    # The first hundred are all doubtful; they say nothing about how the others were read.
    (found,) = correct([result], decided(result, 100))
    assert found.review is not None
    assert found.review.n == 100
    assert not any(each.corrected for each in found.measures)
    assert not any(each.name in ("precision", "recall") for each in found.review.measures)


def test_a_handful_of_decisions_corrects_nothing(result: Result) -> None:
    (found,) = correct([result], decided(result)[-29:])
    assert not any(each.corrected for each in found.measures)


def test_decisions_about_other_translations_do_not_hold(result: Result) -> None:
    stale = [each._replace(output="another translation") for each in decided(result)]
    assert correct([result], stale) == [result]


def test_without_decisions_an_older_review_is_taken_back(result: Result) -> None:
    (found,) = correct([result], decided(result))
    assert found != result
    assert correct([found], []) == [result]


def test_divided_sentences_widen_the_interval_and_do_not_flatter_the_detector(result: Result) -> None:
    first = decided(result)
    second = [
        each._replace(reviewer="ben", gender=M if each.gender is F else F if number % 27 == 0 else each.gender)
        if number % 27 < 2
        else each._replace(reviewer="ben")
        for number, each in enumerate(first)
    ]
    differing = sum(one.gender is not other.gender for one, other in zip(first, second, strict=True))
    alone = [correct([result], own)[0] for own in (first, second)]
    (open_,) = correct([result], [*first, *second])
    assert open_.review
    assert (open_.review.unsettled, open_.review.n) == (differing, 200 - differing)

    def precision(found: Result) -> float:
        assert found.review
        return next(
            each.value or 0.0 for each in found.review.measures if (each.name, each.group) == ("precision", "feminine")
        )

    # Left out, they would make the detector look better than either of the two says.
    assert precision(open_) <= max(map(precision, alone))
    final = [
        each._replace(reviewer="cleo", final=True)
        for each, other in zip(first, second, strict=True)
        if each.gender is not other.gender
    ]
    (closed,) = correct([result], [*first, *second, *final])
    assert closed.review
    assert (closed.review.unsettled, closed.review.adjudicated, closed.review.n) == (0, differing, 200)
    assert closed["accuracy"].corrected == alone[0]["accuracy"].corrected
    widths = [each["accuracy"].corrected for each in (open_, closed)]
    assert widths[0]
    assert widths[1]
    assert widths[0].high - widths[0].low > widths[1].high - widths[1].low
    assert set(open_.decided.values()) >= {"divided", "feminine", "masculine"}
    assert closed["misgendered", "female"].corrected


def test_systems_of_one_detector_share_a_review_and_keep_their_rates(tmp_path: Path, result: Result) -> None:
    men = replace(
        score(f"custom:{tmp_path / 'set.tsv'}", "en-de", ["Der Lehrer und der Arzt warteten."] * 1000, anyway=True),
        system="b",
    )
    order, planned = queue(cases([result, men]))
    decisions = [
        Decision(each.key, each.verdict.output.text, "anna", truth(each) if each.key.system != "b" else M)
        for each in order[:planned]
    ]
    one, other = correct([result, men], decisions)
    assert one.review
    assert other.review
    assert one.review == other.review
    assert one["accuracy"].corrected != other["accuracy"].corrected


def reviewed_run(folder: Path, result: Result) -> Path:
    run = write_run(folder / "run", [result])
    decisions = Decisions(run / "review.sqlite")
    decisions.add(decided(result))
    decisions.close()
    return run


def test_applying_writes_results_and_report_and_loses_nothing(tmp_path: Path, result: Result) -> None:
    noted = replace(result, notes=("a note that must not get lost",))
    run = reviewed_run(tmp_path, noted)
    before = json.loads((run / "results.json").read_text(encoding="utf-8"))
    apply_review(run)
    (after,) = json.loads((run / "results.json").read_text(encoding="utf-8"))
    assert {**after, "review": None, "measures": None} == {**before[0], "review": None, "measures": None}
    for old, new in zip(before[0]["measures"], after["measures"], strict=True):
        corrected = new.pop("corrected", None)
        assert old == new
        if old["name"] == "accuracy":
            assert corrected.keys() == {"value", "low", "high"}
    assert {(each["name"], each["group"]) for each in after["review"]["measures"]} >= {
        ("precision", "masculine"), ("recall", "feminine"),
    }  # fmt: skip
    assert runs.read(run)[0].review == open_run(run).results[0].review is not None
    page = (run / "report.html").read_text(encoding="utf-8")
    assert "200 sentences settled by anna" in page
    assert "precision" in page
    # Once more gives the same.
    again = (run / "results.json").read_bytes()
    apply_review(run)
    assert (run / "results.json").read_bytes() == again


def test_a_table_passes_decisions_on_to_another_machine(tmp_path: Path, result: Result, epicene: Command) -> None:
    run, copy = reviewed_run(tmp_path, result), write_run(tmp_path / "copy", [result])
    file = tmp_path / "decisions.tsv"
    done = epicene("review", run, "--export", file)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "200 decisions" in done.stderr
    for added in ("200 decisions added", "0 decisions added"):
        done = epicene("review", copy, "--import", file)
        assert done.returncode == 0, done.stderr
        assert added in done.stderr
    assert "200 sentences settled by anna" in done.stdout
    assert "corrected" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 120
    assert epicene("review", run, "--apply").stdout.replace(str(run), "") == done.stdout.replace(str(copy), "")


@pytest.mark.parametrize(
    ("cells", "complaint"),
    [({"id": "9999"}, "no sentence '9999'"), ({"gender": "femme"}, "gender 'femme'"), ({"at": "soon"}, "time 'soon'")],
)
def test_a_table_that_does_not_fit_adds_nothing(
    tmp_path: Path, result: Result, epicene: Command, cells: dict[str, Any], complaint: str
) -> None:
    run = reviewed_run(tmp_path, result)
    file = tmp_path / "decisions.tsv"
    export_review(run, file)
    header, first, *rest = file.read_text(encoding="utf-8").splitlines()
    row = dict(zip(header.split("\t"), first.split("\t"), strict=True)) | {"reviewer": "ben"} | cells
    file.write_text(
        "\n".join([header, *(line.replace("anna", "cleo") for line in rest), "\t".join(row.values())]), "utf-8"
    )
    done = epicene("review", run, "--import", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"epicene: {file}:201: ")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert {each.reviewer for each in Decisions(run / "review.sqlite").all()} == {"anna"}


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path, epicene: Command) -> None:
    for options in ([], ["--apply"], ["--export", tmp_path / "x.tsv"]):
        done = epicene("review", tmp_path, *options)
        assert done.returncode == 2
        assert "is no run folder" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_refused(tmp_path: Path, result: Result, epicene: Command) -> None:
    import socket

    run = write_run(tmp_path / "run", [result])
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = epicene("review", run, "--port", str(taken.getsockname()[1]))
    assert done.returncode == 4
    assert "choose another --port" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_rate_whose_sentences_are_found_by_reading_is_not_corrected() -> None:
    # WiBeMT's %TFG is the share of women among forms that name a gender, so a misread form changes what it is over.
    labels = {"part": "verbs", "class": "feminine", "pronoun": "", "group": ""}
    tally, verdicts = Outcomes(wibemt.MEASURES), []
    for place in range(600):
        labels = {**labels, "occupation": f"job {place % 25}"}
        item = Item(str(place), "The doctor came.", Person("doctor", 4, "doctor"), None, labels)
        read = (F, M, M, M, N, U)[place % 6]
        verdict = Verdict(Output(item, "system", "de", "text"), read, "none" if read is U else "lexicon")
        tally.add(verdict)
        verdicts.append(verdict)
    measures = tuple(wibemt.MEASURES.compute(tally))
    result = Result(
        "wibemt", "en-de", "system", "epicene", "s", 600, tally.genders(), 0, measures, verdicts=tuple(verdicts)
    )
    (found,) = correct([result], decided(result, say=lambda case: case.verdict.gender))
    assert found["tfg"].corrected is None
    assert found.review


def test_gaps_are_corrected_and_f1_is_not() -> None:
    # Against the stereotype most people come out as the other gender. One in eleven is not read, whoever it is.
    read, real, verdicts, people = Outcomes(winomt.MEASURES), Outcomes(winomt.MEASURES), [], {}
    for place in range(1540):
        expected, subset = (F, M)[place % 2], ("pro", "anti")[place // 2 % 2]
        labels = {"subset": subset, "gold": "female" if expected is F else "male", "occupation": f"job {place % 35}"}
        item = Item(str(place), "The doctor came.", Person("doctor", 4, "doctor"), expected, labels)
        written = expected if place % 7 < (6 if subset == "pro" else 3) else M if expected is F else F
        verdict = Verdict(Output(item, "system", "de", "text"), written, "lexicon")
        real.add(verdict)
        people[item.id] = written
        verdicts.append(verdict._replace(gender=U, step="none") if place % 11 == 0 else verdict)
        read.add(verdicts[-1])
    measures, genders = tuple(winomt.MEASURES.compute(read)), read.genders()
    result = Result("winomt", "en-de", "system", "epicene", "s", 1540, genders, 0, measures, verdicts=tuple(verdicts))
    (found,) = correct([result], decided(result, say=lambda case: people[case.key.id]))
    true = {(each.name, each.group): each.value or 0 for each in winomt.MEASURES.compute(real)}
    assert (found["f1", "male"].corrected, found["delta_g"].corrected) == (None, None)
    for name in (("accuracy", "all"), ("accuracy", "pro"), ("delta_s", "pro-anti")):
        corrected = found[name].corrected
        assert corrected is not None
        assert corrected.low < true[name] < corrected.high
    pro, anti, gap = (found[name].corrected for name in (("accuracy", "pro"), ("accuracy", "anti"), "delta_s"))
    assert pro is not None
    assert anti is not None
    assert gap is not None
    assert gap.value == pytest.approx(pro.value - anti.value)
