"""Every service with a server that speaks its protocol: how it is named, and what its environment must hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

import pytest

from epicene import systems
from epicene.errors import QuotaError, ServiceError, TryLaterError
from epicene.systems.network.service import Service
from tests.servers.amazon import AmazonServer
from tests.servers.deepl import DeepLServer
from tests.servers.generic import GenericServer
from tests.servers.google import GoogleServer
from tests.servers.libretranslate import LibreTranslateServer
from tests.servers.loopback import Loopback
from tests.servers.microsoft import MicrosoftServer
from tests.servers.openai import OpenAIServer

Environment = Callable[..., Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Case:
    """A way to ask a service."""

    service: str  # its registered name
    server: type[Loopback]
    environment: Environment  # of a server
    spec: str = ""  # {url} stands for the server's
    key: str = ""  # the variable without which it cannot be asked; "" where a server may do without
    names: str = ""  # the variable that its messages name, where that is another one
    quota: type[ServiceError] = QuotaError
    # What cannot be seen, since answers are matched by their order, or cannot happen to a single sentence.
    unseen: frozenset[str] = field(default=frozenset())

    @property
    def named(self) -> str:
        """What a message about the key must say."""
        return self.names or self.key

    def name(self, server: Loopback) -> str:
        """The system's name for a server."""
        return (self.spec or self.service).replace("{url}", server.url)

    def open(self, server: Loopback, monkeypatch: pytest.MonkeyPatch, options: str = "", **environment: str) -> Service:
        """The service, in an environment that leads it to the server."""
        for variable, value in {**self.environment(server), **environment}.items():
            monkeypatch.setenv(variable, value)
        return cast(Service, systems.load(self.name(server) + options))


_ORDER = frozenset({"duplicated", "reordered"})


def _deepl(server: Loopback) -> Mapping[str, str]:
    return {"DEEPL_AUTH_KEY": server.key, "DEEPL_SERVER_URL": server.url}


def _google_v2(server: Loopback) -> Mapping[str, str]:
    return {"GOOGLE_API_KEY": server.key, "GOOGLE_TRANSLATE_ENDPOINT": server.url}


def _google_v3(server: Loopback) -> Mapping[str, str]:
    return {
        "GOOGLE_ACCESS_TOKEN": GoogleServer.token,
        "GOOGLE_CLOUD_PROJECT": GoogleServer.project,
        "GOOGLE_TRANSLATE_ENDPOINT": server.url,
        "NO_GCE_CHECK": "true",
    }


def _microsoft(server: Loopback) -> Mapping[str, str]:
    return {
        "AZURE_TEXT_TRANSLATION_APIKEY": server.key,
        "AZURE_TEXT_TRANSLATION_REGION": MicrosoftServer.region,
        "AZURE_TEXT_TRANSLATION_ENDPOINT": server.url,
    }


def _amazon(server: Loopback) -> Mapping[str, str]:
    return {
        "AWS_ACCESS_KEY_ID": AmazonServer.key_id,
        "AWS_SECRET_ACCESS_KEY": server.key,
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_ENDPOINT_URL_TRANSLATE": server.url,
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def _openai(server: Loopback) -> Mapping[str, str]:
    return {"OPENAI_API_KEY": server.key, "OPENAI_BASE_URL": f"{server.url}/v1"}


def _libretranslate(server: Loopback) -> Mapping[str, str]:
    return {"LIBRETRANSLATE_API_KEY": server.key}


def _generic(server: Loopback) -> Mapping[str, str]:
    return {"EPICENE_HTTP_KEY": server.key}


CASES = {
    "deepl": Case("deepl", DeepLServer, _deepl, key="DEEPL_AUTH_KEY"),
    "google-v2": Case("google", GoogleServer, _google_v2, "google:v2", key="GOOGLE_API_KEY", unseen=_ORDER),
    "google-v3": Case("google", GoogleServer, _google_v3, key="GOOGLE_ACCESS_TOKEN", names="GOOGLE_APPLICATION_CREDENTIALS",
        unseen=_ORDER),
    "microsoft": Case("microsoft", MicrosoftServer, _microsoft, key="AZURE_TEXT_TRANSLATION_APIKEY"),
    "amazon": Case("amazon", AmazonServer, _amazon, key="AWS_ACCESS_KEY_ID", unseen=_ORDER),
    "openai": Case("openai", OpenAIServer, _openai, "openai:loopback-1", unseen=_ORDER),
    "libretranslate": Case(
        "libretranslate", LibreTranslateServer, _libretranslate, "libretranslate:{url}",
        key="LIBRETRANSLATE_API_KEY", quota=TryLaterError, unseen=_ORDER,
    ),
    "http": Case("http", GenericServer, _generic, "http:{url}/translate", key="EPICENE_HTTP_KEY", unseen=_ORDER),
    "http-batch": Case("http", GenericServer, _generic, "http:{url}/batch?batch=10", unseen=_ORDER),
}  # fmt: skip
