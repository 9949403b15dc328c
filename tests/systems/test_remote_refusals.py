"""A sentence that a service will not translate is an outcome, and keeps no other from its answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import epicene
from epicene import systems
from epicene.errors import RefusedError
from epicene.flow import ask
from epicene.store.cache import Cache
from tests.conftest import Start
from tests.servers.deepl import DeepLServer
from tests.servers.loopback import Request, Translated, translation
from tests.systems.remote import PAIR, SPEC, right, sentences


def test_a_refused_sentence_is_an_outcome_and_keeps_no_other_from_its_answer(
    deepl: Start, cache: Cache, caplog: pytest.LogCaptureFixture
) -> None:
    server = deepl()
    sources = [*sentences(99), "this is REFUSED by the service"]
    assert ask.translate(systems.load(SPEC), sources, PAIR, cache) == [*right(sources[:-1]), ""]
    assert list(cache.refused(f"deepl?at={server.url}", PAIR, sources).items()) == [
        (sources[-1], "deepl answered 400: Bad text")
    ]
    assert "refused 1 sentence: 'this is REFUSED by the service': deepl answered 400" in caplog.text
    assert max(server.asked.values()) == 1
    asked = len(server.requests)
    assert ask.translate(systems.load(SPEC), sources, PAIR, cache) == [*right(sources[:-1]), ""]
    assert len(server.requests) == asked  # an outcome is kept like any other


def test_what_an_older_run_could_not_have_does_not_block_the_next(deepl: Start, cache: Cache) -> None:
    server = deepl()
    identity, sources = f"deepl?at={server.url}", [*sentences(30), "this is REFUSED by the service"]
    cache.add(identity, PAIR, zip(sources[:-1], right(sources[:-1]), strict=True))
    assert ask.translate(systems.load(SPEC), sources, PAIR, cache)[-1] == ""
    assert set(cache.refused(identity, PAIR, sources)) == {sources[-1]}


def test_a_sentence_is_not_said_to_be_refused_by_a_service_that_never_answered(deepl: Start, cache: Cache) -> None:
    server = deepl()
    with pytest.raises(RefusedError, match=r"1 sentence got no answer: 'REFUSED': deepl answered 400"):
        ask.translate(systems.load(SPEC), ["REFUSED"], PAIR, cache)
    assert cache.known(f"deepl?at={server.url}", PAIR, ["REFUSED"]) == {}


def test_a_service_that_takes_nothing_is_not_asked_for_ever(deepl: Start, cache: Cache) -> None:
    server = deepl()
    sources = [f"{source} REFUSED" for source in sentences(500)]
    with pytest.raises(RefusedError, match=r"it took none of 20 sentences in a row"):
        ask.translate(systems.load(SPEC), sources, PAIR, cache)
    assert len(server.requests) < 100


def test_an_answer_that_stays_empty_is_kept_as_empty(
    deepl: Start, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(self: DeepLServer, request: Request, sources: Sequence[str], target: str) -> list[Translated]:
        self.asked.update(sources)
        return [Translated(each, "" if "7" in each else translation(each, target)) for each in sources]

    monkeypatch.setattr(DeepLServer, "translated", silent)
    server = deepl()
    sources = sentences(10)
    found = ask.translate(systems.load(SPEC), sources, PAIR, cache)
    assert found == ["" if "7" in source else translation(source, "de") for source in sources]
    assert server.asked[sources[7]] == 2
    assert ask.translate(systems.load(SPEC), sources, PAIR, cache) == found
    assert server.asked[sources[7]] == 2


def test_a_refusal_is_counted_in_results_and_kept_in_the_run(deepl: Start, tmp_path: Path) -> None:
    deepl()
    sentence = "The doctor said that she is REFUSED here."
    (tmp_path / "own.tsv").write_text(
        "id\tsource\tfocus\texpected\n"
        + "".join(f"{number}\tThe doctor number {number} likes her job.\tdoctor\tfeminine\n" for number in range(30))
        + f"30\t{sentence}\tdoctor\tfeminine\n",
        encoding="utf-8",
    )
    run = epicene.audit([f"custom:{tmp_path / 'own.tsv'}"], ["en-de"], [SPEC], folder=tmp_path / "run", anyway=True)
    (result,) = run.results
    assert (result.empty, result.refused) == (1, 1)
    assert result.as_dict()["verdicts"]["refused"] == 1
    (again,) = epicene.open_run(tmp_path / "run", anyway=True).results
    assert again.refused == 1
    (refused,) = (verdict.output for verdict in again.verdicts if verdict.output.refused)
    assert (refused.item.source, refused.refused) == (sentence, "deepl answered 400: Bad text")
