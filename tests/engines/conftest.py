"""DeepL on loopback, and what leads its library there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.servers.deepl import DeepLServer

Start = Callable[..., DeepLServer]


@pytest.fixture
def deepl(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts a server with the faults that a test names; waits are short."""
    pytest.importorskip("deepl")
    with ExitStack() as stack:

        def start(*faults: str, **options: Any) -> DeepLServer:
            server = stack.enter_context(DeepLServer(faults, **options))
            monkeypatch.setenv("DEEPL_SERVER_URL", server.url)
            monkeypatch.setenv("DEEPL_AUTH_KEY", server.key)
            monkeypatch.setenv("NO_PROXY", "127.0.0.1")
            monkeypatch.setenv("EPICENE_SERVICE_TIMEOUT", "1")
            monkeypatch.setenv("EPICENE_SERVICE_PATIENCE", "0.01")
            return server

        yield start
