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

PAIR = Pair("en", "de")
each_service = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
with_key = pytest.mark.parametrize(
    "case", [case for case in CASES.values() if case.key], ids=[name for name, case in CASES.items() if case.key]
)


def test_every_service_has_a_server_to_be_tested_against() -> None:
    places = {name: systems.SYSTEMS.find(name).build.__module__ for name in systems.SYSTEMS.names()}
    asking = {name for name, module in places.items() if module.startswith("epicene.systems.services.")}
    assert asking == {case.service for case in CASES.values()}


@each_service
def test_identity_and_limits_are_sane_and_hold_no_key(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with case.server() as server:
        found = case.open(server, monkeypatch)
        again = case.open(server, monkeypatch)
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
        usual = case.open(server, monkeypatch)
        name = case.name(server)
        slow = cast(Service, systems.load(f"{name}{'&' if '?' in name else '?'}rate=0.5&concurrent=1"))
    assert (slow.limits.per_second, slow.limits.concurrent) == (0.5, 1)
    assert slow.identity == usual.identity


@with_key
def test_a_missing_key_is_asked_for_by_name(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with case.server() as server:
        found = case.open(server, monkeypatch)
        monkeypatch.delenv(case.key)
        with pytest.raises(KeyRefusedError) as caught:
            found.ask(["She is a doctor."], PAIR)
    assert case.named in str(caught.value)
    assert "; get one " in str(caught.value)


@with_key
def test_a_wrong_key_is_refused_and_not_shown(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with case.server() as server:
        found = case.open(server, monkeypatch)
        monkeypatch.setenv(case.key, "not-the-right-key-0000")
        with pytest.raises(KeyRefusedError) as caught:
            ask.check(found, PAIR)
        assert not server.billed
    assert "not-the-right-key" not in str(caught.value)
    assert case.named in str(caught.value)


@each_service
def test_check_asks_for_nothing_that_costs(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with case.server() as server:
        said = ask.check(case.open(server, monkeypatch), PAIR)
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
        found = case.open(server, monkeypatch)
        with pytest.raises(InputError, match=r"does not translate .*de") as caught:
            found.ask(["She is a doctor."], Pair("en", "yo"))
    assert "es" in str(caught.value)


@each_service
def test_an_over_long_sentence_is_refused_before_it_is_sent(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    with case.server() as server:
        found = case.open(server, monkeypatch)
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


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("amazon?formality=casual", "formality='CASUAL' must be FORMAL or INFORMAL"),
        ("deepl:en", "takes no argument"),
        ("deepl?formality=rude", "expected one of default, more"),
        ("deepl?model_type=best", "expected one of latency_optimized"),
        ("deepl?speed=9", "has no option speed; it knows: formality"),
        *((f"deepl?rate={rate}", "must be a number above 0") for rate in ("0", "-1", "inf", "nan", "often")),
        ("google:v4", r"google:v4: the versions are google \(v3\) and google:v2"),
        ("http:", "http: needs an address, as in http:http://"),
        ("http:ftp://x/y", "is no http address"),
        ("http:http://x/y?body={", "option body is not JSON"),
        ('http:http://x/y?body={"q":1}', r'has no "\{text\}" where the text goes'),
        ("http:http://x/y?send=lines", "has no option send"),
        ("libretranslate:", "needs an address"),
        ("libretranslate:localhost:5000", "libretranslate: 'localhost:5000' is no http address"),
        ("openai:", "needs a model"),
        ("openai:m?temperature=warm", "temperature='warm' must be a number or none"),
        ("openai:m?batch=8", "has no option batch"),
        ("openai:m?url=localhost", "is no http address"),
        ("openai:m?key=sk-1", "has no option key"),
    ],
)
def test_what_is_misspelt_is_refused_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        systems.load(spec)


@pytest.mark.parametrize("service", ["http", "libretranslate"])
def test_a_password_is_not_in_the_identity(service: str) -> None:
    assert systems.load(f"{service}:http://me:hush@localhost:5000/").identity == f"{service}:http://localhost:5000"
