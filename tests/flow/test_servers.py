"""A server of one's own is asked for one sentence before an audit begins, and takes nothing with it if it is broken."""

from __future__ import annotations

import pytest

import epicene
from epicene.errors import ServiceError
from tests.servers.generic import GenericServer

SENTENCES = ["The nurse called her.", "The doctor called him.", "The clerk saw her."]


@pytest.fixture
def few() -> epicene.TestSet:
    """A set of three sentences."""
    return epicene.sentences(SENTENCES)


def test_a_broken_server_is_asked_once_and_the_others_are_measured(
    few: epicene.TestSet, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with GenericServer() as server:
        monkeypatch.setenv("EPICENE_HTTP_KEY", server.key)
        wrong = f"http:{server.url}/translate?answer=text"  # there is no such field in its answers
        run = epicene.audit([few], ["en-de"], ["echo", wrong], anyway=True)
        assert len(server.requests) == 1
    (failure,) = run.failures
    assert (len(run.results), failure.system) == (1, wrong)
    assert failure.reason.endswith("; it was tried with one sentence before all others")
    assert failure.reason in caplog.text


def test_a_server_that_is_away_ends_an_audit_of_it_alone_unless_all_is_stored(
    few: epicene.TestSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    with GenericServer() as server:
        monkeypatch.setenv("EPICENE_HTTP_KEY", server.key)
        system = f"http:{server.url}/translate"
        epicene.audit([few], ["en-de"], [system], anyway=True)
        assert server.asked[SENTENCES[0]] == 2  # tried, then asked with the others
        assert len(server.requests) == 1 + len(SENTENCES)
    assert epicene.audit([few], ["en-de"], [system], anyway=True).results  # from the cache
    with pytest.raises(ServiceError, match=r"cannot be reached at .*; it was tried with one sentence"):
        epicene.audit([few], ["en-de"], [system], anyway=True, cached=False)


def test_a_server_that_is_only_busy_is_waited_for(few: epicene.TestSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPICENE_SERVICE_PATIENCE", "0.01")
    with GenericServer(["503", "503", *[""] * 9]) as server:
        monkeypatch.setenv("EPICENE_HTTP_KEY", server.key)
        (result,) = epicene.audit([few], ["en-de"], [f"http:{server.url}/translate"], anyway=True).results
    assert (result.empty, set(server.asked.values())) == (0, {1})
