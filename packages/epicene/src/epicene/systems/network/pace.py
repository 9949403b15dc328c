"""How fast a service is asked, how long it is waited for, and when it is left alone."""

from __future__ import annotations

import math
import os
import random
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any

from epicene.errors import InputError
from epicene.registry import parse_number

PATIENCE_VARIABLE = "EPICENE_SERVICE_PATIENCE"
_ROUNDING = 1e-9  # of a token: one that is waited for is there, not nearly there


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and after how many seconds a service is asked again."""

    attempts: int = 6  # that a sentence gets in company, and then alone; one that was perhaps charged counts twice
    first: float = 1.0  # the longest that the first wait may be; each one after it may be twice as long
    longest: float = 60.0
    in_a_row: int = 8  # failures that open the circuit
    pause: float = 10.0  # before the first probe of an open circuit; each one after it waits twice as long
    probes: int = 5
    retry_after: float = 900.0  # a service that asks for more is not waited for

    def wait(self, tries: int, chance: random.Random) -> float:
        """Exponential backoff with full jitter: anything between nothing and the longest wait of this try."""
        return chance.uniform(0, min(self.longest, self.first * 2.0 ** (tries - 1)))

    @classmethod
    def from_environment(cls) -> RetryPolicy:
        """The usual policy, its waits multiplied by what the environment says."""
        value = os.environ.get(PATIENCE_VARIABLE, "1")
        factor = parse_number(value)
        if not 0 <= factor < math.inf:
            raise InputError(f"{PATIENCE_VARIABLE}={value!r} is not a number; 2 doubles all waits")
        usual = cls()
        return cls(first=usual.first * factor, longest=usual.longest * factor, pause=usual.pause * factor)


class Clock:
    """The time that a run goes by, and how it is spent."""

    def now(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait so long."""
        time.sleep(seconds)

    def wait_for_any(self, asked: Iterable[Future[Any]], seconds: float | None) -> set[Future[Any]]:
        """Wait until one of the requests is answered, but no longer than so many seconds; those that are."""
        return wait(asked, timeout=seconds, return_when=FIRST_COMPLETED).done


class Bucket:
    """A token bucket: so many requests a second, and at once no more than in a second."""

    def __init__(self, per_second: float, now: float) -> None:
        self._limit = self._per_second = per_second
        self._most = max(1.0, per_second)
        self._tokens = self._most
        self._at = now

    def tokens(self, now: float) -> int:
        """How many requests may be made now."""
        self._tokens = min(self._most, self._tokens + (now - self._at) * self._per_second)
        self._at = now
        return int(self._tokens + _ROUNDING)

    @property
    def plenty(self) -> bool:
        """Whether requests are few enough for the limit, so that it is no use to make them as large as may be."""
        return self._tokens > 0.75 * self._most

    def take(self) -> None:
        """Make a request."""
        self._tokens -= 1

    def slow_down(self) -> None:
        """The service has trouble: ask less often, down to a hundredth of the limit."""
        self._per_second = max(0.7 * self._per_second, 0.01 * self._limit)
        self._tokens = min(self._tokens, 1.0)

    def recover(self) -> None:
        """The service answered: ask a little more often again, up to the limit."""
        self._per_second = min(1.05 * self._per_second, self._limit)

    def wait(self) -> float:
        """Seconds until the next request may be made."""
        return max(0.0, (1 - self._tokens) / self._per_second)


class Circuit:
    """Opens after many failures in a row: then a service is left alone, and probed with a single sentence."""

    def __init__(self, policy: RetryPolicy) -> None:
        self._policy = policy
        self._failures = 0
        self._probes = 0

    @property
    def is_troubled(self) -> bool:
        """Whether failures come one after another: a single one may be chance."""
        return self._failures > 1

    @property
    def probing(self) -> bool:
        """Whether only one sentence may be asked at a time, to see if the service is back."""
        return self._failures >= self._policy.in_a_row

    @property
    def given_up(self) -> bool:
        """Whether the last probe has failed."""
        return self._probes >= self._policy.probes

    def note_success(self) -> None:
        """The service answered."""
        self._failures = self._probes = 0

    def note_failure(self, probe: bool) -> float:
        """The service failed; the seconds to leave it alone."""
        self._failures += 1
        self._probes += probe
        return self._policy.pause * 2.0**self._probes if self.probing else 0.0
