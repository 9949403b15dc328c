"""WiBeMT (Troles and Schmid 2021): whether adjectives and verbs that embeddings gender sway a translator."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from epicene.errors import InputError
from epicene.reader.english import Pronoun
from epicene.registry import parse_spec
from epicene.sets import TestSet, read_about
from epicene.sets.wibemt.detectors import ClassificationList, Naming
from epicene.sets.wibemt.files import kind, read_verbs
from epicene.sets.wibemt.measures import MEASURES
from epicene.sets.wibemt.sentences import Plan, adjectives, published, verbs
from epicene.types import Detector

PUBLISHED, PLAIN = "published", "plain"


def variant(argument: str, name: str = "wibemt") -> TestSet:
    """The set: its verb sentences the published ones for ``published``, its words a user's own for ``?…=FILE``.

    ``wibemt-adjectives:plain`` has the sentences of WinoBias alone, without an adjective.
    """
    selection, _, _ = argument.partition("?")
    options = parse_spec(f"{name}{argument[len(selection) :]}", what="set")[2]
    has_adjectives, has_verbs = name != "wibemt-verbs", name != "wibemt-adjectives"
    own_adjectives = options.text("adjectives", "") if has_adjectives else ""
    own_verbs = options.text("verbs", "") if has_verbs else ""
    options.done()
    known, words, own = (PUBLISHED, "verbs", own_verbs) if has_verbs else (PLAIN, "adjectives", own_adjectives)
    if selection not in ("", known):
        raise InputError(f"{name}:{selection}: expected nothing or {known} after the colon")
    if selection and own:
        raise InputError(f"{name}: own {words} and the {selection} sentences exclude each other; give one of them")
    return _set(
        name,
        Plan(
            adjectives=(() if selection == PLAIN else adjectives(own_adjectives)) if has_adjectives else None,
            verbs=verbs(own_verbs) if has_verbs and not selection else (),
            published=published() if selection == PUBLISHED else (),
        ),
    )


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
