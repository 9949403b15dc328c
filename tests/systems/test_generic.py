"""``http:URL``: templates, ways to the answer, and plain lines."""

from __future__ import annotations

from typing import cast

import pytest

from epicene import systems
from epicene.errors import MalformedError, ServiceError, TryLaterError
from epicene.flow import ask
from epicene.systems.network.pace import Clock
from epicene.systems.network.remote import RemoteRun
from epicene.systems.network.service import Service
from epicene.types import Pair
from tests.servers.generic import GenericServer
from tests.servers.loopback import translation

PAIR = Pair("en", "de")


class Quick(Clock):
    """A clock on which waiting takes no time."""

    slept = 0.0

    def now(self) -> float:
        return super().now() + self.slept

    def sleep(self, seconds: float) -> None:
        self.slept += seconds


def load(server: GenericServer, rest: str, monkeypatch: pytest.MonkeyPatch) -> Service:
    monkeypatch.setenv("EPICENE_HTTP_KEY", server.key)
    return cast(Service, systems.load(f"http:{server.url}{rest}"))


@pytest.mark.parametrize(
    "rest",
    [
        "/translate",
        '/translate?body={"text":"{text}","target":"{target}"}',
        '/opennmt?body=[{"src":"{text}","id":100}]&answer=0.0.tgt',
    ],
)
def test_servers_of_many_shapes_are_asked(rest: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with GenericServer() as server:
        service = load(server, rest, monkeypatch)
        assert service.ask(["She is {target}, {text}."], PAIR)[0].text == translation("She is {target}, {text}.", "de")


def test_many_texts_go_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with GenericServer() as server:
        service = load(server, '/many?batch=32&body={"q":"{texts}"}&answer=out.*.t', monkeypatch)
        found = [answer.text for answer in service.ask(["She.", "He."], PAIR)]
        assert found == [translation("She.", "de"), translation("He.", "de")]
        assert len(server.requests) == 1


def test_an_address_may_stand_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    with GenericServer() as server:
        monkeypatch.setenv("EPICENE_HTTP_KEY", server.key)
        service = cast(Service, systems.load(f"{server.url}/translate"))
        assert service.ask(["She."], PAIR)[0].text == translation("She.", "de")


def test_an_answer_that_lies_elsewhere_is_not_made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with GenericServer() as server:
        service = load(server, "/translate?answer=translations.0.text", monkeypatch)
        with pytest.raises(MalformedError, match=r"has no text at 'translations\.0\.text': .*translation"):
            service.ask(["She."], PAIR)
        with pytest.raises(MalformedError, match=r"has no text at 'translations\.0\.text'"):
            service.check(PAIR)


def test_a_server_of_another_form_is_not_asked_for_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    with GenericServer() as server:
        service = load(server, "/translate?answer=translations.0.text", monkeypatch)
        clock = Quick()
        run = RemoteRun(service, [f"Sentence {number}." for number in range(50)], PAIR, lambda _: None, clock=clock)
        with pytest.raises(ServiceError, match=r"at 'translations\.0\.text'.* none of its \d answers has the form"):
            run.run()
        assert len(server.requests) <= 2 * service.limits.concurrent
        assert clock.slept < 30


def test_a_server_that_takes_no_such_request_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    with GenericServer() as server:
        service = load(server, "/nowhere", monkeypatch)
        with pytest.raises(ServiceError, match=r"answered 404 .*do its address and the options fit it"):
            ask.translate(service, ["She.", "He.", "They."], PAIR)
        with pytest.raises(ServiceError, match="answered 404"):
            service.check(PAIR)


def test_check_translates_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with GenericServer() as server:
        address, sent, tried = load(server, "/translate", monkeypatch).check(PAIR)
        assert address.endswith(" answers")
        assert '"text": "The doctor finished her work."' in sent
        assert tried.endswith(translation("The doctor finished her work.", "de"))
    with pytest.raises(TryLaterError, match="cannot be reached"):
        load(server, "/translate", monkeypatch).check(PAIR)


def test_what_shapes_the_answer_is_in_the_identity_and_a_password_is_not() -> None:
    identity = systems.load("http:http://me:hush@localhost:8080/x?answer=out.0").identity
    assert identity == "http:http://localhost:8080/x?answer=out.0"
