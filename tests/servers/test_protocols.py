"""The servers speak the services' protocols: the official clients, which know nothing of us, understand them."""

from __future__ import annotations

import boto3
import deepl
import openai
import pytest
import requests
from azure.ai.translation.text import TextTranslationClient
from azure.core.credentials import AzureKeyCredential
from azure.core.exceptions import HttpResponseError
from botocore.config import Config
from google.api_core.exceptions import Forbidden
from google.auth.credentials import AnonymousCredentials
from google.auth.exceptions import RefreshError
from google.cloud import translate_v2, translate_v3
from google.cloud.translate_v3.services.translation_service.transports.rest import TranslationServiceRestTransport
from google.oauth2.credentials import Credentials

from tests.servers.amazon import AmazonServer
from tests.servers.cases import CASES
from tests.servers.deepl import TARGETS, DeepLServer
from tests.servers.google import LANGUAGES, GoogleServer
from tests.servers.loopback import translation
from tests.servers.microsoft import MicrosoftServer
from tests.servers.openai import OpenAIServer

SOURCE = "She's here & there."


def test_deepl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deepl.http_client, "max_network_retries", 0)
    with DeepLServer() as server:
        client = deepl.DeepLClient(server.key, server_url=server.url, send_platform_info=False)
        assert client.get_usage().character.count == 0
        assert [each.code for each in client.get_target_languages()] == list(TARGETS)
        found = client.translate_text([SOURCE], source_lang="en", target_lang="de")
        assert isinstance(found, list)
        assert (found[0].text, found[0].billed_characters) == (translation(SOURCE, "de"), len(SOURCE))
        server.quota = 0
        with pytest.raises(deepl.QuotaExceededException):
            client.translate_text([SOURCE], source_lang="en", target_lang="de")
        server.expired = True
        with pytest.raises(deepl.AuthorizationException):
            client.get_usage()


def test_amazon(monkeypatch: pytest.MonkeyPatch) -> None:
    with AmazonServer() as server:
        for name, value in CASES["amazon"].environment(server).items():
            monkeypatch.setenv(name, value)
        client = boto3.client("translate", config=Config(retries={"total_max_attempts": 1}))
        languages = {"SourceLanguageCode": "en", "TargetLanguageCode": "de"}
        assert client.translate_text(Text=SOURCE, **languages)["TranslatedText"] == translation(SOURCE, "de")
        assert client.list_languages()["NextToken"] == "2"
        server.quota = 0
        with pytest.raises(client.exceptions.LimitExceededException):
            client.translate_text(Text=SOURCE, **languages)


def test_openai() -> None:
    with OpenAIServer() as server:
        client = openai.OpenAI(api_key=server.key, base_url=f"{server.url}/v1", max_retries=0)
        assert [model.id for model in client.models.list()] == list(server.models)

        def ask() -> str | None:
            told = [{"role": "system", "content": "Put it into German."}, {"role": "user", "content": SOURCE}]
            answer = client.chat.completions.create(model=server.model, messages=told, seed=1)  # type: ignore[arg-type]
            return answer.choices[0].message.content

        assert ask() == translation(SOURCE, "de")
        server.quota = 0
        with pytest.raises(openai.RateLimitError) as used_up:
            ask()
        assert used_up.value.code == "insufficient_quota"
        server.expired = True
        with pytest.raises(openai.AuthenticationError) as expired:
            ask()
        assert expired.value.code == "invalid_api_key"


def test_microsoft() -> None:
    with MicrosoftServer() as server:
        credential = AzureKeyCredential(server.key)
        client = TextTranslationClient(credential=credential, region=server.region, endpoint=server.url, retry_total=0)
        assert "zh-Hans" in (client.get_supported_languages(scope="translation").translation or {})
        (found,) = client.translate(body=[SOURCE], to_language=["de"], from_language="en", include_sentence_length=True)
        assert found.translations[0].text == translation(SOURCE, "de")
        assert found.translations[0].sent_len
        assert sum(found.translations[0].sent_len.src_sent_len) == len(SOURCE)
        (found,) = client.translate(body=[SOURCE], to_language=["de"])
        assert found.detected_language
        assert found.detected_language.language == "en"
        for end, code in (("quota", "403001"), ("expired", "401000")):
            setattr(server, end, end == "expired")
            with pytest.raises(HttpResponseError) as caught:
                client.translate(body=[SOURCE], to_language=["de"])
            assert caught.value.error
            assert str(caught.value.error.code) == code


def test_google_v2() -> None:
    with GoogleServer() as server, requests.Session() as session:
        session.headers["X-goog-api-key"] = server.key
        options = {"api_endpoint": server.url}
        client = translate_v2.Client(credentials=AnonymousCredentials(), _http=session, client_options=options)
        assert [each["language"] for each in client.get_languages()] == list(LANGUAGES)
        plain = client.translate(SOURCE, target_language="de", source_language="en", format_="text")
        assert plain["translatedText"] == translation(SOURCE, "de")
        escaped = client.translate(SOURCE, target_language="de")
        assert "She&#x27;s here &amp; there." in escaped["translatedText"]
        assert escaped["detectedSourceLanguage"] == "en"
        server.quota = 0
        with pytest.raises(Forbidden, match="Daily Limit Exceeded"):
            client.translate(SOURCE, target_language="de")


def test_google_v3() -> None:
    with GoogleServer() as server:
        host = server.url.removeprefix("http://")
        transport = TranslationServiceRestTransport(host=host, url_scheme="http", credentials=Credentials(server.token))
        client = translate_v3.TranslationServiceClient(transport=transport)
        parent = f"projects/{server.project}/locations/global"
        languages = client.get_supported_languages(request={"parent": parent}).languages
        assert [each.language_code for each in languages] == list(LANGUAGES)
        request = {
            "parent": parent,
            "contents": [SOURCE],
            "mime_type": "text/plain",
            "target_language_code": "de",
            "model": f"{parent}/models/general/nmt",
        }
        (found,) = client.translate_text(request=request).translations
        assert (found.translated_text, found.detected_language_code) == (translation(SOURCE, "de"), "en")
        server.expired = True
        with pytest.raises(RefreshError):  # it takes a 401 for a token to renew
            client.translate_text(request=request)
