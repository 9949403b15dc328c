"""WiBeMT (Troles and Schmid 2021): whether adjectives and verbs that embeddings gender sway a translator."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl

from epicene.errors import InputError
from epicene.reader.english import Pronoun
from epicene.sets import TestSet, read_about
from epicene.sets.wibemt.detectors import ClassificationList, Naming
from epicene.sets.wibemt.files import kind, read_verbs
from epicene.sets.wibemt.measures import MEASURES
from epicene.sets.wibemt.sentences import Plan, Word, adjectives, published, verbs
from epicene.types import Detector

PUBLISHED, PLAIN = "published", "plain"
_OPTIONS = {"adjectives": ("wibemt", "wibemt-adjectives"), "verbs": ("wibemt", "wibemt-verbs")}


def variant(argument: str, name: str = "wibemt") -> TestSet:
    """The set: its verb sentences the published ones for ``published``, its words a user's own for ``?…=FILE``.

    ``wibemt-adjectives:plain`` has the sentences of WinoBias alone, without an adjective.
    """
    given, _, query = argument.partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    known = [option for option, names in _OPTIONS.items() if name in names]
    selection = PUBLISHED if "verbs" in known else PLAIN
    if given not in ("", selection):
        raise InputError(f"{name}:{given}: expected nothing or {selection} after the colon")
    if unknown := [option for option in options if option not in known]:
        raise InputError(f"{name} has no option {', '.join(unknown)}; it knows: {', '.join(known)}")
    words = "verbs" if given == PUBLISHED else "adjectives"
    if given and words in options:
        raise InputError(f"{name}: own {words} and the {given} sentences exclude each other; give one of them")
    return _set(
        name,
        Plan(
            adjectives=_adjectives(given, options) if "adjectives" in known else None,
            verbs=verbs(options.get("verbs")) if "verbs" in known and not given else (),
            published=published() if given == PUBLISHED else (),
        ),
    )


def _adjectives(given: str, options: dict[str, str]) -> tuple[Word, ...]:
    return () if given == PLAIN else adjectives(options.get("adjectives"))


def read_outputs(path: Path) -> tuple[TestSet, list[str]] | None:
    """The set of a published file's sentences, and their translations; nothing if the file is of another kind."""
    if not path.is_file() or kind(path) != "translations":
        return None
    rows = read_verbs(path)
    return _set("wibemt-verbs", Plan(None, published=tuple(rows))), [row.translation for row in rows]


def detector(target: str) -> Detector:
    """The detector of protocol ``epicene``: the pronoun alone where the target is English."""
    return Pronoun() if target == "en" else Naming(target)


def _set(name: str, plan: Plan) -> TestSet:
    return TestSet(
        about=read_about(f"epicene.sets.{name.replace('-', '_')}"),
        items=plan.items,
        version=plan.version,
        measures=MEASURES,
        detector=detector,
        paper=ClassificationList,
        variant=partial(variant, name=name),
        read_outputs=read_outputs if name == "wibemt-verbs" else None,
    )


SET = variant("")
