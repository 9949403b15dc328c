"""Keys are found in the environment or the keyring, and never shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from epicene.errors import KeyRefusedError
from epicene.systems.network.keys import Secret, key, scrub

keyring = pytest.importorskip("keyring")
from keyring.backend import KeyringBackend  # noqa: E402


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
    before = keyring.get_keyring()
    keyring.set_keyring(Chest())
    yield
    keyring.set_keyring(before)


def find() -> Secret:
    return key("service", ("FIRST_KEY", "SECOND_KEY"), "https://example.org/keys")


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
