"""Every registered service keeps what ``systems._service`` promises, against a server that speaks its protocol."""

from __future__ import annotations

from typing import cast

import pytest

from epicene import systems
from epicene.errors import EpiceneError, InputError, KeyRefusedError
from epicene.flow import ask
from epicene.systems.network import money
from epicene.systems.network.service import Service, spell_pair
from epicene.types import Pair
from tests.conftest import Command
from tests.servers.cases import CASES, Case
from tests.servers.loopback import Loopback

PAIR = Pair("en", "de")
each_service = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
with_key = pytest.mark.parametrize(
    "case", [case for case in CASES.values() if case.key], ids=[name for name, case in CASES.items() if case.key]
)


def service(case: Case, server: Loopback, monkeypatch: pytest.MonkeyPatch) -> Service:
    """The service, in an environment that leads it to the server."""
    for name, value in case.environment(server).items():
        monkeypatch.setenv(name, value)
    return cast(Service, systems.load(case.name(server)))


def test_every_service_has_a_server_to_be_tested_against() -> None:
    places = {name: systems.SYSTEMS.find(name).build.__module__ for name in systems.SYSTEMS.names()}
    asking = {name for name, module in places.items() if module.startswith("epicene.systems.services.")}
    assert asking == {case.service for case in CASES.values()}


@each_service
def test_identity_and_limits_are_sane_and_hold_no_key(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with case.server() as server:
        found = service(case, server, monkeypatch)
        again = service(case, server, monkeypatch)
    assert found.identity == again.identity
    assert found.identity.startswith(case.service)
    for secret in case.environment(server).values():
        assert secret not in found.identity or secret.startswith("http")
    limits = found.limits
    assert limits.texts >= 1 and limits.concurrent >= 1 and limits.per_second > 0
    assert limits.characters >= limits.sentence > 100
    assert found.billed("She is a doctor.") >= len("She is a doctor.")
    assert not found.price or money.price(found.price).input >= 0


@each_service
def test_the_usual_rate_can_be_changed_and_changes_no_identity(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with case.server() as server:
        usual = service(case, server, monkeypatch)
        name = case.name(server)
        slow = cast(Service, systems.load(f"{name}{'&' if '?' in name else '?'}rate=0.5&concurrent=1"))
    assert (slow.limits.per_second, slow.limits.concurrent) == (0.5, 1)
    assert slow.identity == usual.identity


@with_key
def test_a_missing_key_is_asked_for_by_name(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with case.server() as server:
        found = service(case, server, monkeypatch)
        monkeypatch.delenv(case.key)
        with pytest.raises(KeyRefusedError) as caught:
            found.ask(["She is a doctor."], PAIR)
    assert case.named in str(caught.value)
    assert "; get one " in str(caught.value)


@with_key
def test_a_wrong_key_is_refused_and_not_shown(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with case.server() as server:
        found = service(case, server, monkeypatch)
        monkeypatch.setenv(case.key, "not-the-right-key-0000")
        with pytest.raises(KeyRefusedError) as caught:
            ask.check(found, PAIR)
        assert not server.billed
    assert "not-the-right-key" not in str(caught.value)
    assert case.named in str(caught.value)


@each_service
def test_check_asks_for_nothing_that_costs(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with case.server() as server:
        said = ask.check(service(case, server, monkeypatch), PAIR)
        assert not server.billed or case.service == "http"  # a server of one's own is tried with a sentence
    assert len(said) >= 2
    assert not any(secret in line for line in said for secret in [server.key])


@pytest.mark.parametrize("name", ["google-v2", "google-v3", "microsoft", "amazon", "openai", "libretranslate", "http"])
def test_check_on_the_command_line(name: str, epicene: Command) -> None:
    case = CASES[name]
    with case.server() as server:
        done = epicene("systems", "check", case.name(server), "-l", "en-de", **case.environment(server))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(case.service)
    assert server.key not in done.stdout


def test_check_on_the_command_line_says_in_one_line_what_is_wrong(epicene: Command) -> None:
    case = CASES["microsoft"]
    with case.server() as server:
        server.expired = True
        done = epicene("systems", "check", "microsoft", **case.environment(server))
    assert (done.returncode, done.stdout) == (4, "")
    assert len(done.stderr.strip().splitlines()) == 1
    assert server.key not in done.stderr


@pytest.mark.parametrize("name", ["deepl", "google-v2", "google-v3", "microsoft", "amazon", "libretranslate"])
def test_a_pair_that_it_lacks_is_refused_with_those_it_has(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    with case.server() as server:
        found = service(case, server, monkeypatch)
        with pytest.raises(InputError, match=r"does not translate .*de") as caught:
            found.ask(["She is a doctor."], Pair("en", "yo"))
    assert "es" in str(caught.value)


@each_service
def test_an_over_long_sentence_is_refused_before_it_is_sent(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with case.server() as server:
        found = service(case, server, monkeypatch)
        with pytest.raises(EpiceneError, match="characters a sentence"):
            ask.translate(found, ["She.", "x" * (found.limits.sentence + 1)], PAIR)
        assert not server.billed


def test_languages_are_spelt_by_our_code_unless_a_language_says_otherwise() -> None:
    assert spell_pair("google", Pair("en", "ca")) == ("en", "ca")
    assert spell_pair("google", Pair("en", "zh")) == ("en", "zh-CN")
    assert spell_pair("microsoft", Pair("en", "zh")) == ("en", "zh-Hans")
    with pytest.raises(
        InputError, match=r"amazon does not translate en-yo: it has no Yoruba \(yo\). It has: am, ar, az, bg, bn"
    ):
        spell_pair("amazon", Pair("en", "yo"))
