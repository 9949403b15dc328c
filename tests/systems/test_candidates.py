"""N-best lists: what every kind of system promises of them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from epicene import systems
from epicene.types import Candidate, CandidateSystem, GuidedSystem, Pair
from tests.servers.openai import OpenAIServer
from tests.systems import tiny_models

ENDE = Pair("en", "de")
DOCTOR, TEACHER = "The doctor asked the nurse to help her.", "I am a teacher."


@pytest.fixture(scope="module")
def opus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small trained model of transformers."""
    pytest.importorskip("transformers")
    return tiny_models.build("opus", tmp_path_factory.mktemp("nbest") / "opus")


def guided(spec: str) -> GuidedSystem:
    found = systems.load(spec)
    assert isinstance(found, GuidedSystem)
    return found


def kept(lists: list[list[Candidate]], n: int) -> None:
    """Each list is of different texts, best first, no longer than it may be."""
    for found in lists:
        assert 1 <= len(found) <= n
        assert len({each.text for each in found}) == len(found)
        scores = [each.score for each in found if each.score is not None]
        assert len(scores) == len(found)
        assert all(first >= second for first, second in pairwise(scores))


def test_bundled_gives_ranked_candidates_of_which_the_first_is_its_translation() -> None:
    bundled = guided("bundled?beam=8")
    lists = list(bundled.candidates([DOCTOR, TEACHER], ENDE, 8))
    kept(lists, 8)
    assert [found[0].text for found in lists] == list(bundled.translate([DOCTOR, TEACHER], ENDE))
    assert [each.text for each in lists[1]][:2] == ["Ich bin Lehrer.", "Ich bin Lehrerin."]


def test_bundled_goes_on_from_a_beginning_and_scores_what_others_say() -> None:
    bundled = guided("bundled")
    (found,) = bundled.completions([TEACHER], ["Ich bin eine"], ENDE, 3)
    assert found[0].text == "Ich bin eine Lehrerin."
    own = next(iter(bundled.candidates([TEACHER], ENDE, 2)))
    scores = bundled.scores([TEACHER] * 3, [own[0].text, own[1].text, "Das Haus ist grün."], ENDE)
    assert scores[:2] == pytest.approx([each.score for each in own], abs=1e-3)
    assert scores[2] < scores[1] < scores[0]
    assert bundled.scores([TEACHER], ["ja " * 600], ENDE)[0] < scores[2]  # longer than the model goes


@pytest.mark.torch
@pytest.mark.parametrize(
    "kind", ["huggingface:{}?beam=4&max_tokens=50", "ctranslate2:{}?beam=4&compute=float32&convert=yes&max_tokens=50"]
)
def test_models_of_transformers_give_candidates_completions_and_scores(opus: Path, kind: str) -> None:
    system, sources = guided(kind.format(opus)), tiny_models.sentences(6, 3)
    lists = list(system.candidates(sources, ENDE, 4))
    kept(lists, 4)
    assert [found[0].text for found in lists] == list(system.translate(sources, ENDE))
    for source, found in zip(sources, lists, strict=True):
        (score,) = system.scores([source], [found[0].text], ENDE)
        assert score == pytest.approx(found[0].score, abs=0.05)
    begun = list(system.completions(sources, ["rotcod"] * 6, ENDE, 2))
    kept(begun, 2)
    assert all(each.text.startswith("rotcod") for found in begun for each in found)


def test_a_chat_model_gives_the_answer_that_it_gives_most_often_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", OpenAIServer.key)
    with OpenAIServer() as server:
        server.choices = ("Ich bin Lehrer.", "Ich bin Lehrerin.", "Ich bin Lehrerin.")
        system = systems.load(f"openai:loopback-1?url={server.url}/v1")
        assert isinstance(system, CandidateSystem)
        (found,) = system.candidates([TEACHER], ENDE, 3)
    assert found == [Candidate("Ich bin Lehrerin."), Candidate("Ich bin Lehrer.")]
    assert server.bodies[-1]["n"] == 3
    assert server.bodies[-1]["temperature"] == 1
