"""Raw surveys as references: do the intervals over people cover, and how long does one survey take?

``python -m benchmarks.survey coverage``: in each simulation 1,000 people of unequal weight rate 20 of 100 jobs each. A
person leans to one side in all answers, and those who lean to the feminine side weigh more. Printed: how often 95 %
intervals hold the truth, which is computed from 40,000 people.

``python -m benchmarks.survey speed``: seconds to score 1,237 translations against such a survey, read from its file.

``python -m benchmarks.survey example``: the made-up survey of ``docs/examples``.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import epicene
from benchmarks import run_parts
from epicene.labour.read import open_reference
from epicene.labour.reference import Reference, Row, find_interval
from epicene.labour.survey import Answers, Scale, estimate
from epicene.sets.occupations import occupations
from epicene.sets.occupations.against import against
from epicene.sets.occupations.conclusions import compare_opinions
from epicene.sets.occupations.jobs import Answer
from epicene.types import Gender

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

PEOPLE, JOBS, EACH, POINTS = 1000, 100, 20, 6
CUTS = np.linspace(-2, 2, POINTS - 1)
DISTANCE = np.arange(POINTS) - (POINTS - 1) / 2
MOTIVES = {"share of women and men": 0.20, "personality": 0.30, "physical ability": 0.47, "other": 0.03}
Z95 = 1.959963984540054


class People(NamedTuple):
    """Who is asked: how far they lean, what they weigh, and by what they decide."""

    lean: Array
    weight: Array
    motive: list[str]

    @classmethod
    def draw(cls, rng: np.random.Generator, number: int) -> People:
        """People who differ."""
        lean = rng.normal(0, 0.7, number)
        weight = np.round(np.exp(rng.normal(0, 0.3, number) + 0.3 * lean), 3)
        return cls(lean, weight, [str(each) for each in rng.choice(list(MOTIVES), number, p=list(MOTIVES.values()))])

    def rate(self, rng: np.random.Generator, jobs: Array) -> Array:
        """What each of them answers for each job, from 0 to 5."""
        feeling = jobs[None, :] + self.lean[:, None] + rng.normal(0, 1, (len(self.lean), len(jobs)))
        return np.searchsorted(CUTS, feeling)


def true_femininity(rng: np.random.Generator, jobs: Array) -> Array:
    """The femininity of jobs among all people, in per cent."""
    people = People.draw(rng, 40_000)
    found = []
    for job in jobs:
        distance = DISTANCE[people.rate(rng, np.array([job]))[:, 0]]
        found.append(100 * people.weight @ np.maximum(distance, 0) / (people.weight @ np.abs(distance)))
    return np.array(found)


def ask(rng: np.random.Generator, jobs: Array) -> Reference:
    """A survey of people who rate a fifth of the jobs each."""
    people = People.draw(rng, PEOPLE)
    answers = Answers(Scale("answer", 1, POINTS), weights=list(people.weight))
    for person, motive in enumerate(people.motive):
        answers.motives.setdefault(motive, set()).add(person)
    rated, groups = people.rate(rng, jobs), len(jobs) // EACH
    for person, row in enumerate(rated.tolist()):
        for job in range(person % groups, len(jobs), groups):
            answers.given[person, job] = row[job]
    found = estimate(answers, len(jobs))
    rows = [Row(f"{job}", (f"{job}",), each.men, each.women, each.error) for job, each in enumerate(found.values)]
    return Reference("survey", "survey@0", "occupation", tuple(rows), False, opinion=True, people=found.people)


def translate(rng: np.random.Generator, jobs: Array) -> tuple[list[Answer], Reference]:
    """What a translator says of the jobs, and statistics that count everybody."""
    women = 100 / (1 + np.exp(-(0.8 * jobs + rng.normal(0, 0.8, len(jobs)))))
    she = rng.random(len(jobs)) < 1 / (1 + np.exp(0.5 - 1.2 * jobs))
    labels = [{"occupation": f"{job}", "english": "", "sector": "", "feor08": ""} for job in range(len(jobs))]
    said = [Gender.FEMININE if each else Gender.MASCULINE for each in she]
    rows = [Row(f"{job}", (f"{job}",), 100 - float(share), float(share)) for job, share in enumerate(women)]
    statistics = Reference("statistics", "statistics@0", "occupation", tuple(rows), False)
    return [Answer(*each) for each in zip(labels, said, strict=True)], statistics


def wrong_less(answers: list[Answer], women: Array, opinion: Array) -> float:
    """Wrong pronouns by statistics less those by opinion, in points, where both are known."""
    she = np.array([answer.said is Gender.FEMININE for answer in answers])
    wrong = [np.mean(she != (share > 50)) for share in (women, opinion)]
    return float(100 * (wrong[0] - wrong[1]))


def print_coverage() -> None:
    """How often the intervals of a survey cover."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.survey coverage")
    parser.add_argument("--simulations", type=int, default=400)
    simulations = parser.parse_args().simulations
    rng = np.random.default_rng(99)
    grid = np.linspace(-2.5, 2.5, JOBS)
    truth = true_femininity(rng, grid)
    many = rng.uniform(-2.5, 2.5, 100_000)
    answers, statistics = translate(rng, many)
    women = np.array([row.women for row in statistics.rows], dtype=float)
    closer = wrong_less(answers, women, np.interp(many, grid, truth))
    rng = np.random.default_rng(1)
    jobs_held, held = [], {name: [] for name in ("mean femininity", "two jobs", "closer to opinion", *MOTIVES)}
    for _ in range(simulations):
        survey = ask(rng, grid)
        people = survey.people
        if people is None:
            raise ValueError(survey.name)
        shares = np.array([100 * (row.women or 0) / ((row.men or 0) + (row.women or 0)) for row in survey.rows])
        ends = [
            find_interval(float(share), row.error) or (0, 0) for share, row in zip(shares, survey.rows, strict=True)
        ]
        jobs_held.append([low <= true <= high for (low, high), true in zip(ends, truth, strict=True)])
        held["mean femininity"].append(abs(people.mean[0] - truth.mean()) <= Z95 * people.mean[1])
        one, other = 40, 45  # rated by the same people
        errors = survey.rows[one].error, survey.rows[other].error
        alike = people.correlation[one, other]
        error = (errors[0] ** 2 + errors[1] ** 2 - 2 * alike * errors[0] * errors[1]) ** 0.5
        held["two jobs"].append(abs(shares[one] - shares[other] - truth[one] + truth[other]) <= Z95 * error)
        drawn = rng.uniform(-2.5, 2.5, JOBS)
        answers, statistics = translate(rng, drawn)
        measured = {
            each.name: each for each in compare_opinions([ask(rng, drawn), statistics], answers) if each.interval
        }
        low, high = measured["closer_to_opinion"].interval or (0, 0)
        held["closer to opinion"].append(low <= closer <= high)
        for measure in against(survey, answers):
            if measure.name == "motive":
                low, high = measure.interval or (0, 0)
                motive = measure.group.removeprefix("survey motive ")
                held[motive].append(low <= 100 * MOTIVES[motive] <= high)
    print(
        f"{simulations} simulations of {PEOPLE} people who rate {EACH} of {JOBS} jobs each; covered by 95 % intervals"
    )
    by_job = 100 * np.mean(jobs_held, axis=0)
    print(
        f"  femininity of a job          {by_job.mean():>6.1f} % "
        f"({by_job.min():.1f} to {by_job.max():.1f} % for single jobs)"
    )
    for name, covered in held.items():
        what = f"motive: {name}" if name in MOTIVES else name
        print(f"  {what:<29}{100 * np.mean(covered):>6.1f} % of {len(covered)}")


def write_lines(rng: np.random.Generator, words: list[str], people: int, each: int, missing: float) -> Iterator[str]:
    """A survey as a file, a line an answer; some answers are missing."""
    asked = People.draw(rng, people)
    jobs = np.linspace(-2.2, 2.2, len(words))
    groups = len(words) // each
    yield "respondent,occupation,answer 1=masculine 6=feminine,weight,motive"
    for person, row in enumerate(asked.rate(rng, jobs)):
        for job in range(person % groups, len(words), groups):
            answer = "" if rng.random() < missing else row[job] + 1
            yield f"{person + 1},{words[job]},{answer},{asked.weight[person]:g},{asked.motive[person]}"


def print_speed() -> None:
    """Seconds from the files to all measures."""
    words = [occupation.word for occupation in occupations("hu")]
    rng = np.random.default_rng(3)
    with tempfile.TemporaryDirectory() as folder:
        survey, hypotheses = Path(folder) / "survey.csv", Path(folder) / "hyp.en"
        lines = list(write_lines(rng, words[: 12 * JOBS : 12], PEOPLE, EACH, 0.01))
        survey.write_text("\n".join(lines) + "\n", encoding="utf-8")
        said = ("She" if rng.random() < 0.3 else "He" for _ in words)
        names = (occupation.english or occupation.word for occupation in occupations("hu"))
        hypotheses.write_text("".join(f"{who} is a {name}.\n" for who, name in zip(said, names, strict=True)), "utf-8")
        start = time.perf_counter()
        reference = open_reference(str(survey))
        read = time.perf_counter() - start
        start = time.perf_counter()
        epicene.score("occupations", "hu-en", str(hypotheses), references=["us-acs-2018", str(survey)])
        scored = time.perf_counter() - start
    print(
        f"{len(lines) - 1:,} answers about {len(reference.rows)} jobs: read in {read:.1f} s; scored in {scored:.1f} s"
    )


def print_example() -> None:
    """A survey of made-up people, with the jobs of the made-up census."""
    words = ["ács", "kőműves", "gépészmérnök", "autóbuszvezető", "szoftverfejlesztő", "szakács"]
    words += ["orvos", "statisztikus", "táncos", "recepciós", "takarító", "fodrász"]
    print("\n".join(write_lines(np.random.default_rng(11), words, 60, 6, 0.03)))


PARTS = {"coverage": print_coverage, "speed": print_speed, "example": print_example}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
