"""``openai:MODEL``: any server of the protocol, with its manners."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from epicene import systems
from epicene.errors import BudgetError, InputError, KeyRefusedError, RefusedError, ServiceError, TryLaterError
from epicene.flow import ask
from epicene.systems.network import chat as _chat
from epicene.systems.network.money import Budget
from epicene.systems.network.service import Answer, Service
from epicene.types import ContextSystem, Pair
from tests.servers.loopback import Reply, Request, translation
from tests.servers.openai import OpenAIServer

PAIR = Pair("en", "de")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """A server of one's own, without a key."""
    with OpenAIServer() as found:
        found.open = True
        monkeypatch.setenv("OPENAI_BASE_URL", f"{found.url}/v1/")
        yield found


def load(options: str = "", model: str = OpenAIServer.model) -> Service:
    return cast(Service, systems.load(f"openai:{model}{options}"))


def test_a_server_of_ones_own_needs_no_key_and_charges_nothing(server: OpenAIServer) -> None:
    service = load()
    assert service.price == ""
    (answer,) = service.ask(["She is a doctor."], PAIR)
    text = translation("She is a doctor.", "de")
    assert answer._replace(used=None) == Answer(text, "loopback-1-2026-01-01 fp_0123456789")
    assert answer.used is not None  # the tokens of the prompt and of the answer
    assert answer.used[0] > len("She is a doctor.")
    assert answer.used[1] == len(text)


def test_a_server_of_ones_own_is_asked_as_fast_as_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    for url in ("http://127.0.0.1:8000/v1", "http://llama:8000/v1", "http://192.168.1.7:11434/v1"):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        assert (load().limits.per_second, load().limits.concurrent) == (10_000, 32)
    assert load("?rate=5&concurrent=2").limits.per_second == 5
    monkeypatch.setenv("OPENAI_BASE_URL", "https://models.example.com/v1")
    assert (load().limits.per_second, load().limits.concurrent) == (10, 8)


def test_openai_itself_wants_a_key_and_is_priced_by_the_model() -> None:
    service = load(model="gpt-4o-mini")
    assert (service.price, "at=" in service.identity) == ("openai:gpt-4o-mini", False)
    with pytest.raises(KeyRefusedError, match=r"set OPENAI_API_KEY.*https://platform.openai.com"):
        service.ask(["She."], PAIR)


def test_all_that_may_change_an_answer_is_in_the_identity(server: OpenAIServer, tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("From {source} into {target}, please.", encoding="utf-8")
    options = ["", "?temperature=0.7", "?temperature=none", "?seed=2", "?max_tokens=50"]
    options.append(f"?prompt={tmp_path / 'prompt.txt'}")
    identities = [load(each).identity for each in options]
    assert len(set(identities)) == len(options)
    assert identities[0].endswith("/v1&temperature=0&seed=1&prompt=" + identities[0][-8:])
    assert load("?rate=1&concurrent=2").identity == identities[0]


def test_a_prompt_of_ones_own_is_told_and_shown(server: OpenAIServer, tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("Put {source} into {target}, please.", encoding="utf-8")
    service = load(f"?prompt={tmp_path / 'prompt.txt'}")
    assert service.ask(["She."], PAIR)[0].text == translation("She.", "de")
    assert "prompt: Put English into German, please." in ask.check(service, PAIR)
    (tmp_path / "prompt.txt").write_text("Translate.", encoding="utf-8")
    with pytest.raises(InputError, match=r"prompt.txt: a prompt must have \{target\}"):
        load(f"?prompt={tmp_path / 'prompt.txt'}")
    with pytest.raises(InputError, match="cannot be read"):
        load(f"?prompt={tmp_path / 'none.txt'}")


@pytest.mark.parametrize(
    ("source", "says"),
    [("REFUSED", "declined"), ("CUT", "cut off"), ("FILTERED", "content filter")],
)
def test_answers_that_are_none_are_set_apart(server: OpenAIServer, source: str, says: str) -> None:
    with pytest.raises(RefusedError, match=says):
        load().ask([source], PAIR)


def test_one_declined_sentence_does_not_cost_its_company(
    server: OpenAIServer, caplog: pytest.LogCaptureFixture
) -> None:
    sources = [f"Sentence {number}." for number in range(9)]
    kept: list[str] = []
    service = load("?rate=1000")
    found = ask.translate(service, [*sources, "REFUSED"], PAIR, progress=lambda done, total: kept.append(str(done)))
    assert found == [*(translation(source, "de") for source in sources), ""]
    assert "refused 1 sentence: 'REFUSED': openai: the model declined" in caplog.text
    assert kept[-1] == "10"


@pytest.mark.parametrize("source", ["REFUSED", "CUT", "FILTERED"])
def test_a_model_that_declines_is_paid_for_it(server: OpenAIServer, source: str) -> None:
    service, budget = load("?rate=1000"), Budget(1)
    service.price = "openai:gpt-4o-mini"
    with pytest.raises(RefusedError, match="1 sentence got no answer"):
        ask.translate(service, [source], PAIR, budget=budget)
    assert budget.spent == pytest.approx(service.billed(source) / 4 * (0.15 + 0.6) / 1_000_000)


def test_a_model_that_thinks_long_is_paid_by_its_own_count(server: OpenAIServer) -> None:
    """The estimate knows nothing of thoughts; the budget is held by what the answers say."""
    server.thinks = 100_000  # tokens, at 0.60 a million
    service, budget = load("?rate=1000&concurrent=1"), Budget(0.5)
    service.price = "openai:gpt-4o-mini"
    with pytest.raises(BudgetError, match=r"the budget of 0\.5 USD would be exceeded \(0\.48\d+ spent"):
        ask.translate(service, [f"Sentence {number}." for number in range(50)], PAIR, budget=budget)
    assert len(server.requests) == 8  # 0.06 each, which the first answer tells


def test_a_model_that_is_not_there(server: OpenAIServer) -> None:
    with pytest.raises(InputError, match="has no model 'other'; it has: embedding-1, loopback-1"):
        load(model="other").check(PAIR)
    with pytest.raises(ServiceError, match="is the model's name right, and OPENAI_BASE_URL"):
        load(model="other").ask(["She."], PAIR)
    server.models = ("other:latest", "another")
    assert "model: other, offered" in load(model="other").check(PAIR)  # as Ollama names it
    server.models = ("/models/some.gguf",)
    assert "model: other, which the server does not list; it lists /models/some.gguf" in load(model="other").check(PAIR)
    server.lists_models = False
    assert "model: loopback-1, which the server does not list" in load().check(PAIR)
    with pytest.raises(ServiceError, match="The model `other` does not exist; is the model's name right"):
        load(model="other").check(PAIR)


@pytest.mark.parametrize("status", [404, 405, 429, 500, 501])
def test_a_check_goes_on_where_there_is_no_list_of_models(
    server: OpenAIServer, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = server.reply
    monkeypatch.setattr(
        server, "reply", lambda request: Reply(status, "no") if request.method == "GET" else reply(request)
    )
    lines = load().check(PAIR)
    assert lines[1:3] == ["key: none sent, none wanted", "model: loopback-1, which the server does not list"]
    monkeypatch.setenv("OPENAI_API_KEY", server.key)
    server.open = False
    assert "key: accepted" in load().check(PAIR)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-one")
    with pytest.raises(KeyRefusedError, match=r"OPENAI_API_KEY \(Incorrect API key provided: Bearer \[key\]\.\)"):
        load().check(PAIR)
    assert server.billed == 0


def test_a_check_of_a_server_that_is_not_there_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(TryLaterError, match="cannot be reached"):
        load().check(PAIR)


@pytest.mark.parametrize("names_setting", [True, False])
def test_a_setting_that_the_model_refuses_is_named(server: OpenAIServer, names_setting: bool) -> None:
    server.refuses, server.names_setting = "temperature", names_setting
    with pytest.raises(InputError, match=r"the model refuses temperature .* leave it out: temperature=none"):
        load().ask(["She."], PAIR)
    assert load("?temperature=none").ask(["She."], PAIR)[0].text == translation("She.", "de")


def test_what_stands_before_a_sentence_is_told(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Request] = []
    answer = server.reply
    monkeypatch.setattr(server, "reply", lambda request: (sent.append(request), answer(request))[1])
    plain = load()
    assert isinstance(plain, ContextSystem)
    service = cast(Service, plain.with_context())
    assert service.limits.texts == 1 and service.identity.startswith(plain.identity)
    assert service.identity != plain.identity
    service.ask(["She won.\tThe doctor slept."], PAIR)
    system, user = (each["content"] for each in sent[-1].json()["messages"])
    assert system.endswith(_chat.CONTEXT)
    assert user == "She won.\n\nThe doctor slept."
