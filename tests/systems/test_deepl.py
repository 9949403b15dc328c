"""DeepL: what names it, what it is sent, and how it fails."""

from __future__ import annotations

import pytest

from epicene import systems
from epicene.errors import InputError
from epicene.systems.network.service import Answer
from epicene.systems.services.deepl import DeepL
from epicene.types import Pair
from tests.conftest import Start
from tests.servers.loopback import Request, translation

PAIR = Pair("en", "de")


def load(spec: str = "deepl") -> DeepL:
    found = systems.load(spec)
    assert isinstance(found, DeepL)
    return found


@pytest.mark.parametrize(
    ("spec", "identity"),
    [
        ("deepl", "deepl"),
        ("deepl?rate=2&concurrent=1", "deepl"),
        ("deepl?model_type=quality_optimized&formality=more", "deepl?formality=more&model_type=quality_optimized"),
        ("deepl?glossary=12-ab&variant=PT-PT", "deepl?glossary=12-ab&variant=pt-pt"),
    ],
)
def test_what_changes_answers_is_in_the_identity_and_nothing_else(spec: str, identity: str) -> None:
    assert load(spec).identity == identity


def test_an_answer_names_its_model_and_the_length_of_its_source(deepl: Start) -> None:
    deepl()
    text = 'She\'s a "doctor" & <b>nurse</b> – ß.'
    found = load("deepl?model_type=prefer_quality_optimized").ask([text], PAIR)
    assert found == [Answer(translation(text, "de"), "quality_optimized", len(text))]


@pytest.mark.parametrize(("spec", "target"), [("deepl", "pt-br"), ("deepl?variant=pt-pt", "pt-pt")])
def test_languages_with_variants_are_asked_for_by_one(spec: str, target: str, deepl: Start) -> None:
    deepl()
    assert load(spec).ask(["Hello"], Pair("en", "pt"))[0].text == translation("Hello", target)


def test_a_variant_of_another_language_is_refused(deepl: Start) -> None:
    deepl()
    with pytest.raises(InputError, match="pt-pt is no variant of de"):
        load("deepl?variant=pt-pt").ask(["Hello"], PAIR)


@pytest.mark.parametrize(("key", "price"), [("plan-0815:fx", "deepl-free"), ("plan-0815", "deepl"), ("", "deepl")])
def test_the_key_tells_the_plan(key: str, price: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPL_AUTH_KEY", key)
    monkeypatch.delenv("DEEPL_API_KEY", raising=False)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    assert load().price == price


def test_what_stands_before_a_sentence_is_sent_beside_it_and_costs_nothing(
    deepl: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = deepl()
    sent: list[Request] = []
    answer = server.reply
    monkeypatch.setattr(server, "reply", lambda request: (sent.append(request), answer(request))[1])
    plain = load()
    service = plain.with_context()
    assert service.identity == f"{plain.identity}&context=given" and service.limits.texts == 1
    (found,) = service.ask(["She won.\tThe doctor slept."], PAIR)
    assert found.text == translation("The doctor slept.", "DE")
    body = sent[-1].json()
    assert (body["context"], body["text"]) == ("She won.", ["The doctor slept."])
    assert service.billed("She won.\tThe doctor slept.") == len("The doctor slept.")
