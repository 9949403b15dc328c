"""Published sets, added from the data of the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.flow.plan import open_set, open_tasks
from epicene.flow.score import outputs_of_file, read
from epicene.languages.codes import pair
from epicene.measures.outcomes import Outcomes
from epicene.options import Scoring
from epicene.sets import files
from epicene.store.hypotheses import TranslationLines
from epicene.types import Measure

# What each set is published as, among the data of the tests.
DATA = {
    "winomt": "winomt",
    "mt-geneval": "mt-geneval.tar.gz",
    "mt-geneval-context": "mt-geneval.tar.gz",
    "gest": "gest/gest.tar.gz",
    "gate": "gate.tar.gz",
    "mittens": "mittens_dataset_v5.csv.gz",
    "dialogue": "wmt24-dialogue.tar.gz",
}


def measure(set_name: str, langs: str, lines: list[str]) -> dict[tuple[str, str], Measure]:
    """What is measured of the genders of a set's people: a score without its check of the file, BLEU and chrF."""
    challenge = open_set(set_name)
    (task,) = open_tasks([(challenge, pair(langs))], Scoring())
    verdicts = read(task, outputs_of_file(challenge, task.pair, TranslationLines(lines)))
    measures = task.measures.compute(Outcomes.of(task.measures, verdicts))
    return {(each.name, each.group): each for each in measures}


@pytest.fixture
def added(request: pytest.FixtureRequest, published: Path) -> Path:
    """Where the files of the set that a module tests, its ``NAME``, lie."""
    return files.add(request.module.NAME, published / DATA[request.module.NAME])
