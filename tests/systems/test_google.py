"""``google``: tokens of a service account, both versions' codes and error bodies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from epicene import systems
from epicene.errors import InputError, KeyRefusedError, QuotaError, ServiceError, TryLaterError
from epicene.systems.network.service import Service
from epicene.types import Pair
from tests.servers.cases import CASES
from tests.servers.google import GoogleServer
from tests.servers.loopback import Reply, Request, translation

PAIR = Pair("en", "de")


def account(server: GoogleServer, path: Path) -> Path:
    """The file of a service account that the server knows."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    server.public_key = (
        key.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode()
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    told = {
        "type": "service_account",
        "project_id": server.project,
        "private_key_id": "1",
        "private_key": private.decode(),
        "client_email": "someone@loopback-project.iam.gserviceaccount.com",
        "token_uri": f"{server.url}/token",
    }
    path.write_text(json.dumps(told), encoding="utf-8")
    return path


def advanced(server: GoogleServer, path: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
    monkeypatch.setenv("GOOGLE_TRANSLATE_ENDPOINT", server.url)
    return cast(Service, systems.load("google"))


def test_a_service_account_gets_one_token_and_names_its_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with GoogleServer() as server:
        service = advanced(server, account(server, tmp_path / "account.json"), monkeypatch)
        for _ in range(3):
            assert service.ask(["She's here."], PAIR)[0].text == translation("She's here.", "de")
        assert server.tokens == 1
        assert service.check(PAIR)[0] == "token: accepted for projects/loopback-project/locations/global"


def test_an_account_that_is_not_known_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with GoogleServer() as server:
        service = advanced(server, account(server, tmp_path / "account.json"), monkeypatch)
        account(server, tmp_path / "another.json")  # whose public key the server has now
        with pytest.raises(KeyRefusedError, match="GOOGLE_APPLICATION_CREDENTIALS"):
            service.ask(["She's here."], PAIR)


def test_a_file_that_is_no_account_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "account.json").write_text("{}", encoding="utf-8")
    with GoogleServer() as server, pytest.raises(KeyRefusedError, match="GOOGLE_APPLICATION_CREDENTIALS"):
        advanced(server, tmp_path / "account.json", monkeypatch).ask(["She's here."], PAIR)


@pytest.mark.parametrize("name", ["google-v2", "google-v3"])
def test_codes_are_spelled_as_google_spells_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with GoogleServer() as server:
        service = CASES[name].open(server, monkeypatch)
        assert service.ask(["She."], Pair("en", "zh"))[0].text.startswith("[zh-cn]")
        assert "nmt" in service.ask(["She."], PAIR)[0].model
        with pytest.raises(InputError, match="no Basque"):
            service.check(Pair("en", "eu"))


class Refusing(GoogleServer):
    """Answers every request for translations with one error."""

    body: Reply

    def reply(self, request: Request) -> Reply:
        """The error."""
        return self.body


@pytest.mark.parametrize(
    ("status", "message", "reason", "kind"),
    [
        (403, "Daily Limit Exceeded", "dailyLimitExceeded", QuotaError),
        (403, "User Rate Limit Exceeded", "userRateLimitExceeded", TryLaterError),
        (429, "Quota exceeded for quota metric 'Characters' and limit 'per minute'", "RATE", TryLaterError),
        (403, "Cloud Translation API has not been used in project 1 before", "SERVICE_DISABLED", KeyRefusedError),
        (400, "API key expired. Please renew the API key.", "API_KEY_INVALID", KeyRefusedError),
        (400, "Target language is invalid.", "INVALID", InputError),
        (400, "Invalid 'model'.", "INVALID", ServiceError),
        (404, "Location not found.", "NOT_FOUND", ServiceError),
    ],
)
def test_one_status_means_several_things(
    status: int, message: str, reason: str, kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Refusing() as server:
        server.body = server.error(status, message, reason)
        with pytest.raises(kind):
            CASES["google-v2"].open(server, monkeypatch).ask(["She."], PAIR)


def test_a_project_must_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_ACCESS_TOKEN", "token")
    with pytest.raises(InputError, match="GOOGLE_CLOUD_PROJECT"):
        cast(Service, systems.load("google")).ask(["She."], PAIR)


def test_hebrew_is_offered_by_its_former_code(monkeypatch: pytest.MonkeyPatch) -> None:
    with GoogleServer() as server:
        service = CASES["google-v2"].open(server, monkeypatch)
        assert "pair en-he: offered, as en to he" in service.check(Pair("en", "he"))
        assert service.ask(["She."], Pair("en", "he"))[0].text == translation("She.", "he")
