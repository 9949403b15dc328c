"""A raw survey, a line an answer: what it comes to, how sure it is, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from epicene.errors import InputError
from epicene.labour.read import open_reference
from epicene.labour.reference import Reference, Share, femininity_error, find_interval
from epicene_lab.studies.occupations import femininity

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "survey-people-made-up.csv"
SCALE = "answer 1=masculine 6=feminine"


def read(folder: Path, text: str) -> Reference:
    path = folder / "survey.csv"
    path.write_text(text, encoding="utf-8")
    return open_reference(str(path))


def ask(folder: Path, answers: dict[str, list[int]], weights: list[float] | None = None) -> Reference:
    """A survey in which person n gave the n-th answer about every occupation."""
    lines = [f"respondent,occupation,{SCALE},weight"]
    for job, row in answers.items():
        lines += [f"p{n},{job},{each},{weights[n] if weights else 1}" for n, each in enumerate(row)]
    return read(folder, "\n".join(lines) + "\n")


def share(reference: Reference, occupation: str) -> Share:
    found = reference.share({"occupation": occupation, "english": ""})
    assert isinstance(found, Share)
    return found


def test_the_carpenter_is_as_feminine_as_in_the_papers_table_of_counts(tmp_path: Path) -> None:
    counts = (170, 12, 7, 3, 4, 0)
    carpenter = share(ask(tmp_path, {"ács": [1 + place for place, n in enumerate(counts) for _ in range(n)]}), "ács")
    assert carpenter.women_pct == pytest.approx(femininity(counts))
    assert carpenter.error == pytest.approx(femininity_error(counts, sum(counts)), rel=0.01)


def test_a_person_of_weight_two_counts_as_two_answers(tmp_path: Path) -> None:
    weighed = ask(tmp_path, {"ács": [1, 2, 3, 5, 6, 6]}, [2, 1, 1, 1, 1, 3])
    assert share(weighed, "ács").women_pct == pytest.approx(femininity([2, 1, 1, 0, 1, 4]))


def test_a_scale_may_run_the_other_way_and_answers_may_be_missing(tmp_path: Path) -> None:
    turned = SCALE.replace("1=masculine 6=feminine", "1=feminine 6=masculine")
    lines = "".join(f"p{n},orvos,{answer}\n" for n, answer in enumerate(("1", "1", "", "6", "5", "2")))
    reference = read(tmp_path, f"respondent,occupation,{turned}\n{lines}")
    assert share(reference, "orvos").women_pct == pytest.approx(femininity([1, 1, 0, 0, 1, 2]))
    assert reference.people is not None
    assert (reference.people.answers, reference.people.missing) == ((5,), 1)
    assert "6 people gave 5 answers, 1 are missing" in reference.notes[0]


def test_people_who_answer_alike_for_two_jobs_make_their_errors_go_together(tmp_path: Path) -> None:
    one = [1, 2, 3, 4, 5, 6] * 20
    people = ask(tmp_path, {"a": one, "b": one}).people
    assert people is not None
    assert people.correlation[0, 1] == pytest.approx(1.0, abs=0.01)
    independent = np.random.default_rng(1).permutation(one).tolist()
    people = ask(tmp_path, {"a": one, "b": independent}).people
    assert people is not None
    assert abs(people.correlation[0, 1]) < 0.25


def test_drawn_shares_vary_together_as_far_as_the_same_people_answered(tmp_path: Path) -> None:
    one = [1, 2, 3, 4, 5, 6] * 20
    draws = ask(tmp_path, {"a": one, "b": one}).draws(2000, seed=1)
    assert np.corrcoef(draws.T)[0, 1] > 0.98
    assert np.std(draws[:, 0]) == pytest.approx(femininity_error([20] * 6, 120), rel=0.1)


def test_the_interval_of_a_share_near_the_end_stays_within_and_is_not_even() -> None:
    low, high = find_interval(1.0, 1.0) or (0, 0)
    assert 0 <= low < 1 < high < 100
    assert high - 1 > 1 - low
    assert find_interval(40.0, 0.0) is None


def test_motives_are_shares_of_people_and_a_person_may_name_several() -> None:
    people = open_reference(str(EXAMPLE)).people
    assert people is not None
    assert people.respondents == 60
    assert set(people.motives) <= {"share of women and men", "personality", "physical ability", "other"}
    assert sum(float(each.counted.sum() / each.of.sum()) for each in people.motives.values()) == pytest.approx(1)


def test_several_motives_of_a_person_are_parted_by_a_bar(tmp_path: Path) -> None:
    lines = "".join(f"p{n},orvos,{n % 6 + 1},{motive}\n" for n, motive in enumerate(("x|y", "x", "", "y", "x", "z")))
    people = read(tmp_path, f"respondent,occupation,{SCALE},motive\n{lines}").people
    assert people is not None
    assert {name: each.counted.sum() for name, each in people.motives.items()} == {"x": 3, "y": 2, "z": 1}


HEAD = f"respondent,occupation,{SCALE},weight\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("respondent,occupation,answer\n1,orvos,3\n", ("survey.csv:1: column answer", "which end of the scale")),
        ("respondent,occupation,rating\n1,orvos,3\n", ("survey.csv:1: no column with the answers",)),
        (HEAD.replace("6=feminine", "6=masculine") + "1,orvos,3,1\n", ("which end of the scale",)),
        (HEAD + "1,orvos,7,1\n", (":2: ", "'7' is no answer; expected 1 to 6", "leave the cell empty")),
        (HEAD + "1,orvos,often,1\n", (":2: ", "'often' is no answer")),
        (HEAD + ",orvos,3,1\n", (":2: column respondent: is empty",)),
        (HEAD + "1,orvos,3,1\n1,orvos,4,1\n", (":3: ", "a second answer of 1")),
        (HEAD + "1,orvos,3,1\n1,ács,4,2\n", (":3: column weight: 2, but 1 above",)),
        (HEAD + "1,orvos,3,0\n", (":2: column weight: is 0",)),
        (HEAD + "1,orvos,3,1\n2,orvos,3,1\n", ("2 people answered; it takes 5",)),
        (HEAD, ("no rows",)),
    ],
)
def test_a_bad_survey_is_refused_with_line_and_column(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, text)
    for word in words:
        assert word in str(refused.value)
