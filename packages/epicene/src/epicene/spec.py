"""Names such as ``ctranslate2:models/ende?beam=5``: a kind, an argument and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from epicene.errors import InputError


@dataclass(slots=True)
class Options:
    """Options of what is named; each is taken once by whoever knows it, and what is left over is refused."""

    kind: str
    given: dict[str, str] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    what: str = "system"  # what is named, as messages call it

    def text(self, name: str, default: str) -> str:
        """A text option."""
        self.known.append(name)
        return self.given.pop(name, default)

    def number(self, name: str, default: int, least: int = 1) -> int:
        """A whole-number option."""
        value = self.text(name, str(default))
        if not value.isdecimal() or int(value) < least:
            raise InputError(
                f"{self.what} {self.kind}: option {name}={value!r} must be a whole number of at least {least}"
            )
        return int(value)

    def done(self) -> None:
        """Refuse options that nobody took."""
        if self.given:
            known = ", ".join(self.known) or "none"
            left = ", ".join(sorted(self.given))
            raise InputError(f"{self.what} {self.kind} has no option {left}; it knows: {known}")


def build_identity(name: str, options: Mapping[str, object]) -> str:
    """A name with the options that change its answers, such as ``deepl?formality=more``; empty ones are left out."""
    chosen = "&".join(f"{option}={value}" for option, value in options.items() if value != "")
    return f"{name}?{chosen}" if chosen else name


def parse(spec: str, free_text: bool = False, what: str = "system") -> tuple[str, str, Options]:
    """Kind, argument and options of a name; without options where the argument is free text."""
    kind, _, argument = spec.partition(":")
    given: Mapping[str, str] = {}
    if not free_text and "?" in argument + kind:
        head, _, query = spec.partition("?")
        kind, _, argument = head.partition(":")
        given = dict(parse_qsl(query, keep_blank_values=True))
    return kind, argument, Options(kind, dict(given), what=what)
