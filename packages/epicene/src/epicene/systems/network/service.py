"""What a translation service is: a system that is asked over a network, counts its characters and may say no.

A service makes one request and says plainly how it ended, by its answers or by an error of ``epicene.errors``.
Patience is not its business: when to ask again, how fast and how often is the engine's, so SDKs' own retries are off.
A pair that it does not translate is an ``InputError`` that lists those it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from epicene.errors import EpiceneError, InputError
from epicene.languages import codes
from epicene.registry import Options
from epicene.systems.network.http import Http, Reply
from epicene.systems.network.keys import Endpoint, ServiceKey
from epicene.types import Pair, System


class Answer(NamedTuple):
    """A translation and who made it."""

    text: str
    model: str = ""  # as the service names it in its answer, where it does
    # How long its source was, where the service says so: an answer that stands in the wrong place is known by it.
    characters: int | None = None
    # Tokens of what was asked and of what was said, where the service counts them; a request's first answer has them.
    used: tuple[int, int] | None = None
    refused: str = ""  # why there is no text, where the service takes the sentence at no time


@dataclass(frozen=True, slots=True)
class Limits:
    """What a service takes at once."""

    texts: int  # in one request
    characters: int  # in one request
    sentence: int  # characters in one sentence
    per_second: float  # requests
    concurrent: int = 4  # requests under way

    def chosen(self, options: Options) -> Limits:
        """These limits with the user's own ``rate`` (requests a second) and ``concurrent`` requests."""
        rate, concurrent = options.real("rate", self.per_second), options.number("concurrent", self.concurrent)
        return replace(self, per_second=rate, concurrent=concurrent)


class Service(System):
    """A system behind a network; a class that inherits from this one writes ``ask`` and ``check``."""

    name: str = ""  # as messages call it
    key: ServiceKey
    limits: Limits
    price: str = ""  # its row in the table of prices; "" if it costs nothing
    batch_size: int | None = None  # the engine cuts by the limits

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One request: one answer per source, in order. Called from several threads at once."""
        raise NotImplementedError

    def accepts(self, pair: Pair) -> None:
        """Refuse a pair of which it is known without asking that it is not translated."""
        del pair  # most know nothing without asking

    def check(self, pair: Pair) -> list[str]:
        """Whether key, quota and pair work, found out without translating; what was found, one line each."""
        raise NotImplementedError

    def billed(self, source: str) -> int:
        """How many characters a source is charged as; more than its own where a prompt goes with it."""
        return len(source)

    def translate(self, sources: Sequence[str], pair: Pair) -> list[str]:
        """The texts of one request's answers; the engine asks instead."""
        return [answer.text for answer in self.ask(sources, pair)]

    @cached_property
    def http(self) -> Http:
        """The connection, which is opened for the first request."""
        return Http(self.name, self.address(), self.key, self.explain)

    def address(self) -> str:
        """Where its server is."""
        raise NotImplementedError

    def explain(self, reply: Reply) -> EpiceneError | None:
        """What an error of this service means; None where the status alone decides."""
        del reply
        return None


class Vendor(Service):
    """A service that charges, whose address and languages are known."""

    endpoint: Endpoint

    def address(self) -> str:
        """The vendor's address, or that which a variable names."""
        return self.endpoint.url()

    def accepts(self, pair: Pair) -> None:
        """Refuse a language that it does not have."""
        self.spell(pair)

    def spell(self, pair: Pair) -> tuple[str, str]:
        """Source and target as the service spells them."""
        return spell_pair(self.name, pair)

    def refuse_pair(self, message: str) -> InputError:
        """The error for a pair that the service refused although it has both languages."""
        known = ", ".join(list_spellings(self.name))
        return InputError(f"{self.name} does not translate this pair ({message}). It has: {known}")

    def describe_offer(self, pair: Pair, offered: set[str]) -> str:
        """A line that says that the service itself, which lists what it offers today, has both languages."""
        now = {ours: theirs for ours, theirs in list_spellings(self.name).items() if theirs in offered}
        source, target = spell_pair(self.name, pair, now)
        return f"pair {pair}: offered, as {source} to {target}"


def list_spellings(service: str) -> dict[str, str]:
    """The service's spelling of each language that it has, by our code."""
    spelt = {code: names.services.get(service, code) for code, names in codes.known().items()}
    return {code: spelling for code, spelling in spelt.items() if spelling != "-"}


def spell_pair(service: str, pair: Pair, known: Mapping[str, str] | None = None) -> tuple[str, str]:
    """Source and target as the service spells them; one that it does not have is refused with those it has."""
    known = list_spellings(service) if known is None else known
    for language in (pair.source, pair.target):
        if language not in known:
            raise InputError(
                f"{service} does not translate {pair}: it has no {codes.name(language)} ({language}). "
                f"It has: {', '.join(sorted(known))}"
            )
    return known[pair.source], known[pair.target]
