"""Connections are kept between requests, and go through a proxy where the environment names one."""

from __future__ import annotations

import socket
from dataclasses import replace

import pytest

from epicene.flow import ask
from epicene.types import Pair
from tests.servers.cases import CASES
from tests.servers.google import GoogleServer
from tests.servers.loopback import translation

PAIR = Pair("en", "de")
ASKED = ["deepl", "google-v2", "microsoft", "amazon", "openai", "libretranslate", "http"]


@pytest.mark.parametrize("name", ASKED)
def test_a_connection_serves_many_requests(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    with case.server() as server:
        opened: list[object] = []
        accept = server._server.get_request

        def counted() -> tuple[socket.socket, object]:
            opened.append(None)
            return accept()

        monkeypatch.setattr(server._server, "get_request", counted)
        service = case.open(server, monkeypatch)
        service.limits = replace(service.limits, texts=1, per_second=1000, concurrent=1)
        sources = [f"Sentence number {number}." for number in range(12)]
        assert ask.translate(service, sources, PAIR) == [translation(source, "de") for source in sources]
        assert len(server.requests) == len(sources)
        assert len(opened) == 1


def test_a_proxy_is_asked_where_the_environment_names_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server stands for a proxy: it is sent whole addresses, of a host that does not exist."""
    with GoogleServer() as server:
        elsewhere = {"GOOGLE_TRANSLATE_ENDPOINT": "http://translation.internal", "HTTP_PROXY": server.url}
        service = CASES["google-v2"].open(server, monkeypatch, **elsewhere)
        assert service.ask(["She."], PAIR)[0].text == translation("She.", "de")
