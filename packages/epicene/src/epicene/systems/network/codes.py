"""How each service spells the languages, and which it does not have: by our code, unless a language says otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from epicene.errors import InputError
from epicene.languages import codes
from epicene.types import Pair


def ours() -> list[str]:
    """The languages that this project knows."""
    return list(codes.known())


def supported(service: str) -> dict[str, str]:
    """The service's spelling of each language that it has, by our code."""
    spelt = {code: names.services.get(service, code) for code, names in codes.known().items()}
    return {code: spelling for code, spelling in spelt.items() if spelling != "-"}


def spelled(service: str, pair: Pair, known: Mapping[str, str] | None = None) -> tuple[str, str]:
    """Source and target as the service spells them; one that it does not have is refused with those it has."""
    known = supported(service) if known is None else known
    for language in (pair.source, pair.target):
        if language not in known:
            raise InputError(
                f"{service} does not translate {pair}: it has no {codes.name(language)} ({language}). "
                f"It has: {', '.join(sorted(known))}"
            )
    return known[pair.source], known[pair.target]


def unsupported(service: str, said: str) -> InputError:
    """The error for a pair that the service refused although it has both languages."""
    return InputError(f"{service} does not translate this pair ({said}). It has: {', '.join(supported(service))}")


def listed(service: str, pair: Pair, offered: set[str]) -> str:
    """A line that says that the service itself, which lists what it offers today, has both languages."""
    now = {ours: theirs for ours, theirs in supported(service).items() if theirs in offered}
    source, target = spelled(service, pair, now)
    return f"pair {pair}: offered, as {source} to {target}"
