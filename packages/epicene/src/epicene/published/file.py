"""One file of a published set."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file of a published set: what it is called here and elsewhere, where it comes from, what it must be."""

    name: str
    aliases: tuple[str, ...]
    address: str
    sha256: str
