"""What is peculiar to Microsoft, Amazon and LibreTranslate."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from epicene import systems
from epicene.errors import InputError, KeyRefusedError, QuotaError, RefusedError, ServiceError, TryLaterError
from epicene.flow import ask
from epicene.systems.network.service import Service
from epicene.types import Pair
from tests.servers.amazon import AmazonServer
from tests.servers.cases import CASES
from tests.servers.libretranslate import LibreTranslateServer
from tests.servers.loopback import Reply, translation
from tests.servers.microsoft import MicrosoftServer

PAIR = Pair("en", "de")


def test_microsoft_says_how_long_sources_were_which_shows_a_mix_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with MicrosoftServer() as server:
        answers = CASES["microsoft"].open(server, monkeypatch).ask(["She.", "He is here."], PAIR)
    assert [answer.characters for answer in answers] == [4, 11]


def test_microsoft_asks_for_the_region_when_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    with MicrosoftServer() as server:
        service = CASES["microsoft"].open(server, monkeypatch, "?region=eastus")
        with pytest.raises(KeyRefusedError, match="AZURE_TEXT_TRANSLATION_REGION"):
            service.ask(["She."], PAIR)


def test_microsoft_spells_chinese_by_its_script_and_lists_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    with MicrosoftServer() as server:
        service = CASES["microsoft"].open(server, monkeypatch)
        assert service.ask(["She."], Pair("en", "zh"))[0].text.startswith("[zh-hans]")
        with pytest.raises(InputError, match=r"does not translate this pair .* It has: am, ar, as, az, be, "):
            service.ask(["She."], Pair("en", "bn"))  # which the server of today does not offer


def test_microsoft_says_that_a_category_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with MicrosoftServer() as server, pytest.raises(InputError, match="no such category"):
        CASES["microsoft"].open(server, monkeypatch, "?category=mine").ask(["She."], PAIR)


def test_microsoft_tells_what_is_not_allowed_from_what_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with MicrosoftServer() as server:
        service = CASES["microsoft"].open(server, monkeypatch)
        for detail, error in ((0, KeyRefusedError), (1, QuotaError)):
            refusal = server.error(403, "The operation isn't allowed.", detail)
            monkeypatch.setattr(server, "reply", lambda _, refusal=refusal: refusal)
            with pytest.raises(error):
                service.ask(["She."], PAIR)


@pytest.mark.parametrize(
    ("status", "name", "error"),
    [
        (403, "SignatureDoesNotMatch", KeyRefusedError),
        (400, "Throttling", TryLaterError),
        (400, "InvalidParameterValueException", RefusedError),
    ],
)
def test_amazon_has_many_names_for_an_error(
    status: int, name: str, error: type[ServiceError], monkeypatch: pytest.MonkeyPatch
) -> None:
    with AmazonServer() as server:
        service = CASES["amazon"].open(server, monkeypatch)
        monkeypatch.setattr(server, "reply", lambda _: server.error(status, "no", name))
        with pytest.raises(error):
            service.ask(["She."], PAIR)


def test_amazon_refuses_a_wrong_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    with AmazonServer() as server:
        service = CASES["amazon"].open(server, monkeypatch)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not-the-secret")
        with pytest.raises(KeyRefusedError, match="AWS_SECRET_ACCESS_KEY") as caught:
            service.ask(["She."], PAIR)
    assert "not-the-secret" not in str(caught.value)


def test_amazon_counts_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    with AmazonServer() as server:
        service = CASES["amazon"].open(server, monkeypatch)
        with pytest.raises(RefusedError, match="10000 bytes at most; this sentence has 10002"):
            service.ask(["щ" * 5001], PAIR)
        assert not server.billed


def test_amazon_terminology_is_part_of_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    with AmazonServer() as server:
        service = CASES["amazon"].open(server, monkeypatch, "?terminology=people")
        assert service.identity == f"amazon?terminology=people&at={server.url}"
        assert service.ask(["She."], PAIR)[0].text == translation("She.", "de")
        with pytest.raises(ServiceError, match="has not been found"):
            CASES["amazon"].open(server, monkeypatch, "?terminology=nobody").ask(["She."], PAIR)


@pytest.mark.parametrize(
    ("spec", "variable", "own", "identity"),
    [
        ("deepl", "DEEPL_SERVER_URL", "https://api-free.deepl.com", "deepl"),
        ("google:v2", "GOOGLE_TRANSLATE_ENDPOINT", "https://translation.googleapis.com", "google:v2?model=nmt"),
        ("google", "GOOGLE_TRANSLATE_ENDPOINT", "https://translate-eu.googleapis.com", "google:v3?model=general/nmt"),
        (
            "microsoft",
            "AZURE_TEXT_TRANSLATION_ENDPOINT",
            "https://mine.cognitiveservices.azure.com",
            "microsoft:v3?category=general",
        ),
        ("amazon", "AWS_ENDPOINT_URL_TRANSLATE", "https://translate.eu-west-1.amazonaws.com", "amazon"),
        ("amazon", "AWS_ENDPOINT_URL", "https://translate-fips.us-east-1.amazonaws.com", "amazon"),
    ],
)
def test_a_server_that_is_not_the_vendors_is_in_the_identity(
    spec: str, variable: str, own: str, identity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for address in ("", own):
        monkeypatch.setenv(variable, address)
        assert systems.load(spec).identity == identity
    for address in ("http://127.0.0.1:9", "https://ec2-1-2-3-4.compute.amazonaws.com", f"{own}.example.org"):
        monkeypatch.setenv(variable, address.replace("//", "//me:hush@"))
        assert systems.load(spec).identity == f"{identity}{'&' if '?' in identity else '?'}at={address}"


def test_amazon_refuses_a_server_that_only_its_files_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with AmazonServer() as server:
        service = CASES["amazon"].open(server, monkeypatch)
        (tmp_path / "config").write_text(f"[default]\nendpoint_url = {server.url}\n")
        monkeypatch.delenv("AWS_ENDPOINT_URL_TRANSLATE")
        monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
        service = cast(Service, systems.load("amazon"))
        with pytest.raises(InputError, match=f"another server, {server.url}; name it in AWS_ENDPOINT_URL_TRANSLATE"):
            service.ask(["She."], PAIR)


def test_amazon_needs_a_region(monkeypatch: pytest.MonkeyPatch) -> None:
    with AmazonServer() as server:
        service = CASES["amazon"].open(server, monkeypatch)
        monkeypatch.delenv("AWS_DEFAULT_REGION")
        with pytest.raises(InputError, match=r"AWS_DEFAULT_REGION, or as in amazon\?region="):
            service.ask(["She."], PAIR)


def test_libretranslate_says_that_it_wants_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with LibreTranslateServer() as server:
        service = CASES["libretranslate"].open(server, monkeypatch)
        monkeypatch.delenv("LIBRETRANSLATE_API_KEY")
        with pytest.raises(KeyRefusedError, match=r"needs a key \(Visit https://portal.*: set LIBRETRANSLATE_API_KEY"):
            ask.translate(service, ["She."], PAIR)


def test_libretranslate_may_do_without_a_key_and_spells_as_the_server_does(monkeypatch: pytest.MonkeyPatch) -> None:
    with LibreTranslateServer() as server:
        server.wants_key = False
        service = cast(Service, systems.load(f"libretranslate:{server.url}"))
        assert service.ask(["She."], Pair("en", "zh"))[0].text.startswith("[zh-hans]")
        assert service.ask(["She."], Pair("en", "pt"))[0].text.startswith("[pt-br]")
        assert service.check(PAIR)[0] == "key: not needed"
        with pytest.raises(InputError, match=r"does not translate en-hu: it has no Hungarian \(hu\)"):
            service.ask(["She."], Pair("en", "hu"))  # from which it translates, but not into


@pytest.mark.parametrize("status", [404, 405, 500])
def test_libretranslate_is_checked_as_far_as_its_server_goes(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with LibreTranslateServer() as server:
        reply = server.reply
        pages = ("/languages", "/translate")
        monkeypatch.setattr(server, "reply", lambda asked: reply(asked) if asked.path in pages else Reply(status, ""))
        assert ask.check(CASES["libretranslate"].open(server, monkeypatch), PAIR) == [
            "key: the server does not say whether it is accepted",
            "pair en-de: offered, as en to de",
            "limits: the server does not say",
        ]


def test_libretranslate_says_that_the_server_takes_less(monkeypatch: pytest.MonkeyPatch) -> None:
    with LibreTranslateServer() as server:
        server.characters = 500
        said = ask.check(CASES["libretranslate"].open(server, monkeypatch), PAIR)
    assert said[-1] == f"limits: 500 characters a request; use libretranslate:{server.url}?characters=500"
