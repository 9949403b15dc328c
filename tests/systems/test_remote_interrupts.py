"""Ctrl-C, a full disk and a request that hangs lose no answer that came."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Sequence

import pytest

from epicene.errors import KeyRefusedError, StoreError
from epicene.systems.network.pace import Clock
from epicene.systems.network.remote import RemoteRun
from epicene.systems.network.service import Answer, Limits
from epicene.types import Pair
from tests.systems.remote import PAIR, Noted, OneByOne, sentences


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(("sent", "end"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)])
@pytest.mark.parametrize("keeping", [1, 2, 3])
def test_an_interrupt_while_answers_are_stored_loses_none(
    keeping: int, sent: signal.Signals, end: type[BaseException]
) -> None:
    service, kept = Noted(Clock(), Limits(50, 100_000, 1000, per_second=1000, concurrent=4)), list[str]()
    calls = 0

    def keep(found: list[tuple[str, Answer]]) -> None:
        nonlocal calls
        calls += 1
        if calls == keeping:
            signal.raise_signal(sent)
        kept.extend(source for source, _ in found)

    with pytest.raises(end):
        RemoteRun(service, sentences(2000), PAIR, keep).run()
    assert sorted(kept) == sorted(service.asked)
    assert len(kept) < 2000


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_while_the_last_answers_are_waited_for_loses_none() -> None:
    """The key expires while other requests are under way, and somebody presses Ctrl-C before they are back."""
    waits, kept = threading.Event(), list[str]()

    class Expiring(OneByOne):
        def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
            if sources == ["a"]:
                raise KeyRefusedError("expired")
            assert waits.wait(60)
            return [Answer(source.upper()) for source in sources]

    class Impatient(RemoteRun):
        def _drain(self, seconds: float = 60.0) -> None:
            if not waits.is_set():
                waits.set()
                signal.raise_signal(signal.SIGINT)
            super()._drain(seconds)

    run = Impatient(Expiring(), list("abcd"), PAIR, lambda found: kept.extend(each for each, _ in found))
    with pytest.raises(KeyboardInterrupt):
        run.run()
    assert sorted(kept) == ["b", "c", "d"]


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_does_not_wait_for_a_service_that_hangs(caplog: pytest.LogCaptureFixture) -> None:
    class Hanging(Noted):
        def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            threading.Event().wait(60)
            return super().ask(sources, pair)

    service = Hanging(Clock(), Limits(50, 100_000, 1000, per_second=1000, concurrent=1))
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        RemoteRun(service, sentences(3), PAIR, lambda _: None).run()
    assert time.monotonic() - begun < 20
    assert "3 sentences under way are given up; they were perhaps paid for" in caplog.text


def test_a_request_that_hangs_is_given_up_whatever_holds_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server's name that is never found, or headers that come in drops: no client's own deadline ends these."""
    monkeypatch.setenv("EPICENE_SERVICE_TIMEOUT", "0.2")
    monkeypatch.setenv("EPICENE_SERVICE_PATIENCE", "0")

    class Hanging(Noted):
        def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
            if not self.times:
                self.times.append(0.0)
                threading.Event().wait(60)
            return super().ask(sources, pair)

    service, kept = Hanging(Clock(), Limits(50, 100_000, 1000, per_second=1000, concurrent=1)), list[str]()
    RemoteRun(service, sentences(3), PAIR, lambda found: kept.extend(source for source, _ in found)).run()
    assert sorted(kept) == sorted(sentences(3))


@pytest.mark.parametrize("room_again", [True, False])
def test_answers_for_which_there_is_no_room_are_not_lost_silently(room_again: bool) -> None:
    service, kept = Noted(Clock(), Limits(50, 100_000, 1000, per_second=1000, concurrent=4)), list[str]()
    full = 0

    def keep(found: list[tuple[str, Answer]]) -> None:
        nonlocal full
        if len(kept) > 200 and not (room_again and full):
            full += 1
            raise StoreError("disk is full")
        kept.extend(source for source, _ in found)

    with pytest.raises(StoreError) as caught:
        RemoteRun(service, sentences(2000), PAIR, keep).run()
    lost = len(service.asked) - len(kept)
    assert lost == 0 if room_again else 0 < lost <= 50
    more = f", {lost} more were perhaps paid for and could not be kept" if lost else ""
    assert str(caught.value) == (
        f"disk is full. {len(kept)} of 2,000 missing sentences were translated and are kept{more}; "
        "mend it, then run the same command again to go on"
    )
    assert len(set(kept)) == len(kept)
