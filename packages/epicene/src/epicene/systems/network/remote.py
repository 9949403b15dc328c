"""Asks a service over the network: nothing lost, nothing paid twice.

What is under way at any moment is at most one batch of the service's largest size, cut into as many requests as may be
made at once; an answer is stored before its place is taken by another sentence. So a kill costs at most one batch
(a service that takes one sentence a request: as many sentences as requests under way).

A sentence that the service takes at no time is an outcome: an empty answer with the reason, kept like any other.
"""

from __future__ import annotations

import logging
import random
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from epicene.errors import (
    BudgetError,
    EpiceneError,
    InputError,
    KeyRefusedError,
    MalformedError,
    QuotaError,
    RefusedError,
    ServiceError,
    StoreError,
    TryLaterError,
)
from epicene.systems.network.answers import match_answers, mix_lengths
from epicene.systems.network.http import timeout
from epicene.systems.network.keys import scrub_error
from epicene.systems.network.money import Budget
from epicene.systems.network.pace import Bucket, Circuit, Clock, RetryPolicy
from epicene.systems.network.service import Answer, Service
from epicene.text import scrub
from epicene.types import Pair

Keep = Callable[[list[tuple[str, Answer]]], None]
_log = logging.getLogger(__name__)
_SILENT = 5  # seconds that one waits without a word
_SHOWN = 60  # characters of a sentence in a message
_HOPELESS = 20  # sentences refused one after another: then it is not for the sentences' sake
_KNOWN = 20  # answers from before for each refusal in a row that is believed
_MALFORMED = 3  # answers of a wrong form before any of the right one: then it is the wrong server, or option
_GRACE = 5.0  # seconds that an interrupted run waits for what is under way
_ENDS = (signal.SIGINT, signal.SIGTERM)  # Ctrl-C, and what a container or a batch system sends


class _Request(NamedTuple):
    """Sentences under way, and whether they are to show that a service is back."""

    sources: list[str]
    probe: bool
    paid: float
    until: float  # when its answer is waited for no longer


@dataclass(slots=True)
class _Parcel:
    """Sentences that are asked together, once their time has come."""

    sources: deque[str]
    ready: float = 0.0


@dataclass(slots=True)
class _State:
    """What is left to do."""

    fresh: deque[_Parcel]
    again: deque[_Parcel] = field(default_factory=deque)  # failed, and asked again in company
    apart: deque[_Parcel] = field(default_factory=deque)  # asked last, one by one
    tries: Counter[str] = field(default_factory=Counter)
    blank: set[str] = field(default_factory=set)  # answered once with nothing
    lost: dict[str, str] = field(default_factory=dict)  # given up, and why
    refused: dict[str, str] = field(default_factory=dict)  # by the service for good, and why
    doubtful: list[str] = field(default_factory=list)  # refused, and nothing answered since
    malformed: int = 0  # answers that did not have the form expected
    done: int = 0

    def queue(self, now: float) -> deque[_Parcel]:
        """Where the next sentences come from: what is due again, what is new, and last what is set apart."""
        self.again = deque(sorted(self.again, key=lambda parcel: parcel.ready))
        if self.again and self.again[0].ready <= now:
            return self.again
        return self.fresh if self.fresh or self.again else self.apart

    def next_ready(self, now: float) -> float | None:
        """When something that waits is due."""
        times = [parcel.ready for parcel in (*self.again, *self.apart) if parcel.ready > now]
        return min(times, default=None)


class RemoteRun:
    """One run of a service over the sentences that are missing."""

    def __init__(
        self,
        service: Service,
        sources: Sequence[str],
        pair: Pair,
        keep: Keep,
        purse: Budget | None = None,
        patience: RetryPolicy | None = None,
        clock: Clock | None = None,
        known: int = 0,
    ) -> None:
        """``known``: how many answers the service has given before."""
        self._service, self._pair, self._keep, self._purse = service, pair, keep, purse
        self._clock = clock or Clock()
        self._patience = patience or RetryPolicy.from_environment()
        self._sources, self._known = sources, known
        # Twice what one exchange may take, for services that make two; whatever hangs, the run does not.
        self._longest = 2 * timeout()
        limits = service.limits
        too_long = next((source for source in sources if len(source) > limits.sentence), None)
        if too_long is not None:
            raise InputError(
                f"{service.identity} takes {limits.sentence:,} characters a sentence; one of {len(too_long):,} begins "
                f"{too_long[:_SHOWN]!r}: shorten it or leave it out"
            )
        shares = max(1, limits.concurrent // limits.texts)
        self._texts, self._characters = limits.texts * shares, limits.characters * shares
        self._state = _State(deque([_Parcel(deque(mix_lengths(sources)))] if sources else []))
        self._under_way: dict[Future[list[Answer]], _Request] = {}
        self._bucket = Bucket(limits.per_second, self._clock.now())
        self._circuit = Circuit(self._patience)
        self._unkept: list[tuple[str, Answer]] = []  # answers for which there was no room
        self._resume = 0.0  # nothing is asked before
        self._chance = random.Random()

    def run(self) -> None:
        """Ask until every sentence has an answer that is kept, or raise once nothing more can be had."""
        if self._purse:
            self._purse.open(self._service, self._sources)
        try:
            while self._is_left():
                self._wait(self._send())
            self._believe()
        except EpiceneError as error:
            self._drain(self._longest)
            raise self._explain_end(error) from None
        finally:
            self._drain()  # of an interrupt
        self._report_missing()

    def _report_missing(self) -> None:
        """Raise for sentences without an answer; say which ones the service does not take."""
        state = self._state
        if lacking := state.lost | {source: state.refused[source] for source in state.doubtful}:
            source, why = next(iter(lacking.items()))
            many = f"{len(lacking):,} sentences got no answer, such as"
            what = many if len(lacking) > 1 else "1 sentence got no answer:"
            raise self._explain_end(RefusedError(f"{what} {source[:_SHOWN]!r}: {why}"))
        if state.refused:
            source, why = next(iter(state.refused.items()))
            many = f"{len(state.refused):,} of {len(self._sources):,} sentences, such as"
            what = many if len(state.refused) > 1 else "1 sentence:"
            _log.warning("refused %s %r: %s; it counts as an empty answer", what, source[:_SHOWN], scrub(why))

    def _is_left(self) -> bool:
        return bool(self._state.fresh or self._state.again or self._state.apart or self._under_way)

    def _send(self) -> float | None:
        """Make as many requests as may be made now; when to try again, or None: once an answer is there."""
        while (now := self._clock.now()) >= self._resume:
            slots = self._service.limits.concurrent - len(self._under_way)
            if self._circuit.probing:
                slots = min(slots, 1 - len(self._under_way))
            if slots <= 0:
                return None
            tokens = self._bucket.tokens(now)
            if tokens <= 0:
                return now + self._bucket.wait()
            plenty = self._bucket.plenty
            if not plenty and self._under_way and self._room < self._service.limits.texts:
                return None  # a rare request shall be a large one
            sources = self._take_next(min(slots, tokens) if plenty else 1, now)
            if not sources:
                return self._state.next_ready(now)
            sources, paid = self._affordable(sources)
            self._bucket.take()
            with hold_interrupts():
                asked = _start_request(partial(self._service.ask, sources, self._pair))
                self._under_way[asked] = _Request(sources, self._circuit.probing, paid, now + self._longest)
        return self._resume

    @property
    def _room(self) -> int:
        """How many more sentences may be under way."""
        return self._texts - sum(len(request.sources) for request in self._under_way.values())

    def _take_next(self, parts: int, now: float) -> list[str]:
        """The sentences of the next request: what has room under way, in so many parts."""
        limits, under_way = (
            self._service.limits,
            [source for sent in self._under_way.values() for source in sent.sources],
        )
        most = 1 if self._circuit.probing else min(limits.texts, -(-self._room // parts))
        letters = min(limits.characters, self._characters - sum(map(len, under_way)))
        queue = self._state.queue(now)
        if queue is self._state.apart:
            most = min(most, 1)
        sources: list[str] = []
        while queue and queue[0].ready <= now and len(sources) < most:
            first = queue[0].sources
            if len(first[0]) > letters and (sources or under_way):
                break
            letters -= len(first[0])
            sources.append(first.popleft())
            if not first:
                queue.popleft()
                break
        return sources

    def _affordable(self, sources: list[str]) -> tuple[list[str], float]:
        """As many of the sentences as the purse pays for, and what it paid; the others go back."""
        if not self._purse:
            return sources, 0.0
        count, paid = self._purse.pay(self._service, sources)
        if count < len(sources):
            self._state.again.append(_Parcel(deque(sources[count:])))
        if not count:
            raise self._purse.empty()
        return sources[:count], paid

    def _wait(self, until: float | None) -> None:
        """Until an answer is there, or that moment."""
        if not self._under_way:
            self._clock.sleep(max(0.0, (until or 0.0) - self._clock.now()))
            return
        end = min(request.until for request in self._under_way.values())
        seconds = max(0.0, min(end, end if until is None else until) - self._clock.now())
        done = self._clock.wait_for_any(self._under_way, seconds) | self._end_overdue()
        with hold_interrupts():
            for future in done:
                self._settle(future)

    def _end_overdue(self) -> set[Future[list[Answer]]]:
        """Requests that are waited for no longer, whatever holds them up; each ends with an error that says so."""
        late = {future for future, request in self._under_way.items() if request.until <= self._clock.now()}
        for future in late:
            with suppress(InvalidStateError):  # its answer came at the last moment
                who = self._service.identity.partition("?")[0]
                future.set_exception(TryLaterError(f"{who} gave no answer for {self._longest:g} s", billed=True))
        return late

    def _settle(self, future: Future[list[Answer]]) -> None:
        """Keep the answers of a request, or see what can be done about its failure."""
        sources, probe, paid, _ = self._under_way.pop(future)
        try:
            pairs = match_answers(self._service.identity, sources, future.result())
        except (TryLaterError, RefusedError) as error:
            if self._purse and not error.billed:
                self._purse.refund(paid)
            if isinstance(error, RefusedError):
                self._set_apart(sources, error)
            else:
                self._ask_later(sources, error, probe)
        else:
            if self._purse:
                self._purse.settle(self._service, paid, sources, [answer for _, answer in pairs])
            self._circuit.note_success()
            self._bucket.recover()
            self._keep_answers(pairs)

    def _keep_answers(self, pairs: list[tuple[str, Answer]]) -> None:
        state = self._state
        blank = [source for source, answer in pairs if not answer.text.strip() and source not in state.blank]
        good = [(source, answer) for source, answer in pairs if source not in set(blank)]
        state.blank.update(blank)
        state.apart.extend(_Parcel(deque([source])) for source in blank)
        if good:
            self._unkept += good
            self._keep(good)
            del self._unkept[-len(good) :]
            state.done += len(good)
            self._believe()

    def _believe(self) -> None:
        """Keep that sentences were refused, if the service takes others: then it is for the sentences' sake."""
        state = self._state
        if state.doubtful and state.done + self._known:
            self._keep([(source, Answer("", refused=scrub(state.refused[source]))) for source in state.doubtful])
            state.doubtful.clear()

    @property
    def _most_refused(self) -> int:
        return max(_HOPELESS, self._known // _KNOWN)

    def _ask_later(self, sources: list[str], error: TryLaterError, probe: bool) -> None:
        """Ask again after a while: in company, or alone if that was tried often enough."""
        state, patience, now = self._state, self._patience, self._clock.now()
        if error.after is not None:
            if error.after > patience.retry_after:
                raise ServiceError(f"{error}; it asks to be left alone for {error.after:,.0f} s")
            self._resume = max(self._resume, now + error.after)
        self._resume = max(self._resume, now + self._circuit.note_failure(probe))
        if isinstance(error, MalformedError):
            state.malformed += 1
            if state.malformed >= _MALFORMED and not state.done:
                raise ServiceError(f"{error}; none of its {state.malformed} answers has the form expected")
        if self._circuit.given_up:
            raise ServiceError(f"{error}; it failed many times in a row")
        if self._circuit.is_troubled:
            self._bucket.slow_down()
        if self._resume - now > _SILENT:
            _log.warning("%s; the next request is sent in %.0f s", scrub(str(error)), self._resume - now)
        state.tries.update(dict.fromkeys(sources, 2 if error.billed else 1))
        tries = max(state.tries[source] for source in sources)
        ready = now + patience.wait(min(tries, patience.attempts), self._chance)
        if tries < patience.attempts:
            state.again.append(_Parcel(deque(sources), ready))
            return
        for source in sources:
            if state.tries[source] >= 2 * patience.attempts and not self._circuit.probing:
                state.lost[source] = str(error)
            else:
                state.tries[source] = max(state.tries[source], patience.attempts)
                state.apart.append(_Parcel(deque([source]), ready))

    def _set_apart(self, sources: list[str], error: RefusedError) -> None:
        """Find the sentence that is not taken, by halves."""
        self._circuit.note_success()
        if len(sources) == 1:
            self._state.refused[sources[0]] = str(error)
            self._state.doubtful.append(sources[0])
            if len(self._state.doubtful) >= self._most_refused:
                raise RefusedError(f"it took none of {len(self._state.doubtful)} sentences in a row: {error}")
            return
        middle = len(sources) // 2
        self._state.again += [_Parcel(deque(sources[:middle])), _Parcel(deque(sources[middle:]))]

    def _drain(self, seconds: float = _GRACE) -> None:
        """Keep what is still on its way, if it comes in time, and what could not be kept before: it is paid for."""
        done = wait(self._under_way, timeout=seconds).done
        with hold_interrupts():
            for future in done:
                request = self._under_way.pop(future)
                if not future.exception():
                    with suppress(TryLaterError, StoreError):
                        self._keep_answers(match_answers(self._service.identity, request.sources, future.result()))
            if gone := sum(len(request.sources) for request in self._under_way.values()):
                self._under_way.clear()
                _log.warning("%s sentences under way are given up; they were perhaps paid for", f"{gone:,}")
            if self._unkept:
                with suppress(StoreError):
                    self._keep(self._unkept)
                    self._state.done += len(self._unkept)
                    self._unkept.clear()

    def _explain_end(self, error: EpiceneError) -> EpiceneError:
        """The error with what is stored and how to go on."""
        if not isinstance(error, ServiceError | BudgetError | StoreError):
            return scrub_error(error)
        kept = f"{self._state.done:,} of {len(self._sources):,} missing sentences were translated and are kept"
        if self._unkept:
            kept += f", {len(self._unkept):,} more were perhaps paid for and could not be kept"
        mend = "mend it, then run" if isinstance(error, KeyRefusedError | QuotaError | StoreError) else "run"
        return scrub_error(error, f". {kept}; {mend} the same command again to go on")


def _start_request(ask: Callable[[], list[Answer]]) -> Future[list[Answer]]:
    """A request in a thread of its own, which does not keep the program from ending."""
    future: Future[list[Answer]] = Future()

    def work() -> None:
        with suppress(InvalidStateError):  # nobody waits for it any more
            try:
                answers = ask()
            except BaseException as error:  # noqa: BLE001 - it is raised where the future is asked
                future.set_exception(error)
            else:
                future.set_result(answers)

    threading.Thread(target=work, name="epicene-service", daemon=True).start()
    return future


@contextmanager
def hold_interrupts() -> Iterator[None]:
    """Hold an interrupt back until the block is done; one that nobody handles kills as ever."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is interrupted
        return
    usual = {number: handler for number in _ENDS if callable(handler := signal.getsignal(number))}
    came: list[int] = []
    for number in usual:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])
