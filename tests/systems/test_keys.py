"""Keys are found in the environment or the keyring, and never shown."""

from __future__ import annotations

import contextlib
import json
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from epicene.errors import EpiceneError, InputError, KeyRefusedError, ServiceError, TryLaterError
from epicene.flow import ask
from epicene.systems.network import http as _http
from epicene.systems.network import keys
from epicene.systems.network.http import Http
from epicene.systems.network.keys import Secret, ServiceKey
from epicene.text import scrub
from epicene.types import Pair
from tests.conftest import Command
from tests.servers.cases import CASES
from tests.servers.generic import GenericServer
from tests.servers.loopback import Loopback, Reply, Request, translation
from tests.servers.microsoft import MicrosoftServer

keyring = pytest.importorskip("keyring")
KeyringBackend = pytest.importorskip("keyring.backend").KeyringBackend


class Chest(KeyringBackend):
    """A keyring in memory."""

    priority = 1

    def __init__(self, **kept: str) -> None:
        super().__init__()
        self._kept = kept

    def get_password(self, service: str, username: str) -> str | None:
        if self._kept.get("locked"):
            raise RuntimeError
        return self._kept.get(username) if service == "epicene" else None

    def set_password(self, service: str, username: str, password: str) -> None:
        self._kept[username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self._kept[username]


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("FIRST_KEY", "SECOND_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("EPICENE_SERVICE_PATIENCE", "0")
    before = keyring.get_keyring()
    keyring.set_keyring(Chest())
    yield
    keyring.set_keyring(before)


def find() -> Secret:
    return ServiceKey("service", ("FIRST_KEY", "SECOND_KEY"), "at https://example.org/keys").require()


def test_the_environment_comes_before_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring.set_keyring(Chest(FIRST_KEY="from-the-keyring"))
    assert find().reveal() == "from-the-keyring"
    monkeypatch.setenv("SECOND_KEY", " from-the-environment\n")
    assert find().reveal() == "from-the-environment"


def test_a_missing_key_says_which_variable_and_where_to_get_one() -> None:
    with pytest.raises(
        KeyRefusedError, match=r"set FIRST_KEY or SECOND_KEY, .*keyring set .* https://example\.org/keys"
    ):
        find()


def test_a_refusal_names_the_variable_that_holds_the_key_or_says_that_none_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = ServiceKey("service", ("FIRST_KEY", "SECOND_KEY"), "at https://example.org/keys")
    assert "needs a key (401): set FIRST_KEY or SECOND_KEY" in str(key.refused("401"))
    monkeypatch.setenv("SECOND_KEY", "wrong")
    assert "does not accept the key in SECOND_KEY (401)" in str(key.refused("401"))


def test_a_locked_keyring_is_no_key() -> None:
    keyring.set_keyring(Chest(FIRST_KEY="from-the-keyring", locked="yes"))
    with pytest.raises(KeyRefusedError):
        find()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("half-one\nhalf-two", "character 9 of 17 is a line break or the like"),
        ("half one-half-two", "character 5 of 17 is space"),
        ("half-one-half-two\u200b", "character 18 of 18 is zero width space"),
    ],
)
def test_a_key_that_was_copied_badly_is_refused_and_not_shown(
    text: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRST_KEY", text)
    with pytest.raises(KeyRefusedError, match=f"the key in FIRST_KEY .*{what}; copy it again") as caught:
        find()
    assert "half" not in str(caught.value)


def test_the_owner_of_an_address_is_not_shown() -> None:
    said = "cannot reach http://me:hush@host:8/x, nor 'http://socks5://me:hu@sh@proxy', as https://other/@me says"
    assert scrub(said) == "cannot reach http://host:8/x, nor 'http://socks5://proxy', as https://other/@me says"


def test_a_secret_shows_itself_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRST_KEY", "abc-123/xyz:fx")
    secret = find()
    assert "abc-123" not in f"{secret} {secret!r} {[secret]} {vars(type(secret))}"
    assert scrub("you sent abc-123/xyz:fx, and abc-123%2Fxyz%3Afx") == "you sent [key], and [key]"


PAIR = Pair("en", "de")
ADDRESSES = {
    "deepl": "DEEPL_SERVER_URL",
    "google-v2": "GOOGLE_TRANSLATE_ENDPOINT",
    "microsoft": "AZURE_TEXT_TRANSLATION_ENDPOINT",
    "amazon": "AWS_ENDPOINT_URL_TRANSLATE",
    "openai": "OPENAI_BASE_URL",
}
PAID = ("deepl", "google-v2", "microsoft")
each_addressed = pytest.mark.parametrize("name", ADDRESSES)


@each_addressed
@pytest.mark.parametrize(
    "address", ["http://me:hush-hush@127.0.0.1:9/v1", "me:hush-hush@host", "http://me:hush-hush@[:9"]
)
def test_no_error_shows_the_password_of_an_address(name: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with CASES[name].server() as server, pytest.raises(EpiceneError) as caught:
        CASES[name].open(server, monkeypatch, **{ADDRESSES[name]: address}).ask(["She."], PAIR)
    assert "hush" not in str(caught.value)


def test_a_password_is_sent_and_is_in_no_file_of_the_run(epicene: Command, tmp_path: Path, own_home: Path) -> None:
    with GenericServer() as server:
        spec = f"http:{server.url.replace('//', '//me:hush-hush@')}/translate"
        seen: list[str | None] = []
        server.reply = lambda request: (  # type: ignore[method-assign]
            seen.append(request.headers.get("Authorization")) or Reply(200, {"translation": "Sie."})
        )
        done = epicene("audit", "-s", f"{spec}?rate=1000", "-l", "en-de", "--sample", "3", "-o", tmp_path / "run")
        wrong = epicene("audit", "-s", f"{spec}?nonsense=1", "-l", "en-de")
    assert done.returncode == 0, done.stderr
    assert set(seen) == {"Basic bWU6aHVzaC1odXNo"}
    assert wrong.returncode == 2
    command = json.loads((tmp_path / "run" / "run.json").read_text())["command"]
    assert f"http:{server.url}/translate?rate=1000" in command
    files = [path for folder in (own_home, tmp_path) for path in folder.rglob("*") if path.is_file()]
    shown = [path.read_bytes() for path in files] + [(each.stdout + each.stderr).encode() for each in (done, wrong)]
    assert not any(b"hush" in each for each in shown)


@pytest.mark.parametrize("name", PAID)
def test_a_paid_key_is_not_sent_for_all_to_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with CASES[name].server() as server:
        service = CASES[name].open(server, monkeypatch, **{ADDRESSES[name]: "http://example.org/"})
        with pytest.raises(InputError, match=r"=http://example\.org would send the key .* write https://"):
            service.ask(["She."], PAIR)


def test_a_key_for_a_server_of_ones_own_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        keys.warn_in_the_clear("http", "http://me:hush@8.8.8.8:8000/v1", "EPICENE_HTTP_KEY")
    keys.warn_in_the_clear("http", "https://8.8.8.8:8000/v1", "EPICENE_HTTP_KEY")
    keys.warn_in_the_clear("http", "http://ollama:11434/v1", "EPICENE_HTTP_KEY")
    (said,) = caplog.messages
    assert said.startswith("http: the key in EPICENE_HTTP_KEY is sent to http://8.8.8.8:8000/v1 for all to read")


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://[::1]:8000", True),
        ("http://10.0.0.5", True),
        ("http://localhost", True),
        ("http://ollama:11434/v1", True),
        ("http://gpu.internal", True),
        ("https://api.openai.com/v1", False),
        ("http://8.8.8.8", False),
    ],
)
def test_a_server_in_the_house_charges_nothing(url: str, own: bool) -> None:
    assert keys.is_own(url) is own


class Elsewhere(Loopback):
    """Notes what reaches it."""

    def reply(self, request: Request) -> Reply:
        return Reply(200, {})


@pytest.mark.parametrize("name", ["deepl", "google-v2", "microsoft", "openai", "libretranslate", "http"])
@pytest.mark.parametrize("status", [301, 307])
def test_no_key_and_no_text_follow_a_redirect(name: str, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with Elsewhere() as other, CASES[name].server() as server:
        to = {"Location": f"{other.url.replace('//', '//me:hush@')}/x"}
        asked: list[str] = []
        reply = server.reply

        def sent_on(request: Request) -> Reply:
            asked.append(request.path)
            return Reply(status, "", to) if server.is_translation(request) else reply(request)

        monkeypatch.setattr(server, "reply", sent_on)
        service = CASES[name].open(server, monkeypatch)
        with pytest.raises(
            ServiceError, match=rf"{service.identity[:4]}\w* sends us on to {other.url}; if that"
        ) as caught:
            ask.translate(service, ["She."], PAIR)
        assert not isinstance(caught.value, TryLaterError)
        assert not other.requests
        assert len(server.requests) == 1


def test_an_azure_resource_with_a_domain_of_its_own_has_a_path_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server stands for a proxy, so that any host may be named."""
    with MicrosoftServer() as server:
        seen: list[str] = []
        reply = server.reply

        def at_path(request: Request) -> Reply:
            seen.append(request.path)
            request.path = "/" + request.path.rpartition("/")[2]
            return reply(request)

        monkeypatch.setattr(server, "reply", at_path)
        monkeypatch.setenv("HTTP_PROXY", server.url)
        own = "http://mine.cognitiveservices.azure.internal"
        for address, path in [
            (own, "/translator/text/v3.0/translate"),
            (f"{own}/", "/translator/text/v3.0/translate"),
            (f"{own}/translator/text/v3.0", "/translator/text/v3.0/translate"),
            ("http://api.microsofttranslator.internal", "/translate"),
        ]:
            service = CASES["microsoft"].open(server, monkeypatch, AZURE_TEXT_TRANSLATION_ENDPOINT=address)
            assert service.ask(["She."], PAIR)[0].text == translation("She.", "de")
            assert seen.pop() == path


@pytest.fixture
def endless() -> Iterator[Callable[[bytes, float], str]]:
    """Starts a server that sends one thing over and over, with a pause between."""
    with ExitStack() as stack:

        def start(part: bytes, pause: float) -> str:
            class Handler(socketserver.BaseRequestHandler):
                def handle(self) -> None:
                    self.request.recv(1 << 16)
                    with contextlib.suppress(OSError):
                        self.request.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                        for _ in range(100):  # not for ever, so that a client that does not give up is seen
                            self.request.sendall(part)
                            time.sleep(pause)

            server = stack.enter_context(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler))
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            stack.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_address[1]}"

        yield start


def test_an_answer_in_drops_is_not_waited_for(
    endless: Callable[[bytes, float], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EPICENE_SERVICE_TIMEOUT", "0.5")
    with pytest.raises(TryLaterError, match=r"gave no answer for 0\.5 s") as caught:
        Http("s", endless(b" ", 0.1)).get("/")
    assert caught.value.billed


def test_an_answer_without_an_end_is_broken_off(
    endless: Callable[[bytes, float], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_http, "_MOST", 2 << 20)
    with pytest.raises(TryLaterError, match="broke off: more than 2,048 KiB in one answer"):
        Http("s", endless(b" " * (1 << 20), 0)).get("/")
