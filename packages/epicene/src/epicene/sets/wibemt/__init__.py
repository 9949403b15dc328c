"""WiBeMT (Troles and Schmid 2021): whether adjectives and verbs that embeddings gender sway a translator."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl

from epicene.errors import InputError
from epicene.sets import SetBuilder
from epicene.sets.wibemt.files import kind, read_verbs
from epicene.sets.wibemt.sentences import Plan, adjectives, published, verbs
from epicene.types import ChallengeSet, Detector

PUBLISHED = "published"
_OPTIONS = {"adjectives": ("wibemt", "wibemt-adjectives"), "verbs": ("wibemt", "wibemt-verbs")}
_TITLES = {
    "wibemt": "WiBeMT: 70,686 sentences with gendered adjectives and verbs",
    "wibemt-adjectives": "WiBeMT, its adjectives: WinoBias, plain and with 20 of them",
    "wibemt-verbs": "WiBeMT, its verbs: 99 occupations doing 42 things",
}
_ADJECTIVES = """66,528 sentences: the 3,168 of WinoBias (data get winomt), plain and with ten
feminine and ten masculine adjectives before the person whom the pronoun means.
Expected: the pronoun's gender. Doubled articles and blanks of WinoBias are
mended, in three sentences."""
_VERBS = """4,158 sentences: 42 verbs, half of them feminine, with 99 occupations. No gender
is expected. The sentences are those of the authors; SET:published reads them from
their files, once 'data add wibemt PATH' has read these."""
_REST = """Labels: part, word, class (feminine, masculine, none), pronoun, group (third of
the occupation's gender score), occupation, subset (pro, anti). Own words:
SET?adjectives=FILE&verbs=FILE, lines of word, class and, for verbs, a sentence
with {occupation}, separated by tabs."""
_CARDS = {
    "wibemt": f"{_ADJECTIVES}\n\n{_VERBS}\n\n{_REST}",
    "wibemt-adjectives": f"{_ADJECTIVES}\n\n{_REST}",
    "wibemt-verbs": f"{_VERBS}\n\n{_REST}",
}
_CITATION = """@inproceedings{troles-schmid-2021-extending,
  title = {Extending Challenge Sets to Uncover Gender Bias in Machine Translation:
    Impact of Stereotypical Verbs and Adjectives},
  author = {Troles, Jonas-Dario and Schmid, Ute},
  booktitle = {Proceedings of the Sixth Conference on Machine Translation},
  year = {2021}
}"""


def build(argument: str, name: str = "wibemt") -> ChallengeSet:
    """The set, its verb sentences the published ones for ``published``, its words a user's own for ``?…=FILE``."""
    given, _, query = argument.partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    known = [option for option, names in _OPTIONS.items() if name in names]
    if given not in ("", PUBLISHED) or (given and "verbs" not in known):
        raise InputError(f"{name}:{given}: expected nothing or {PUBLISHED} after the colon")
    if unknown := [option for option in options if option not in known]:
        raise InputError(f"{name} has no option {', '.join(unknown)}; it knows: {', '.join(known)}")
    if given and "verbs" in options:
        raise InputError(f"{name}: own verbs and the published sentences exclude each other; give one of them")
    return _set(
        name,
        Plan(
            adjectives=adjectives(options.get("adjectives")) if "adjectives" in known else None,
            verbs=verbs(options.get("verbs")) if "verbs" in known and not given else (),
            published=published() if given else (),
        ),
    )


def of_file(path: Path) -> tuple[ChallengeSet, list[str]] | None:
    """The set of a published file's sentences, and their translations; nothing if the file is of another kind."""
    if not path.is_file() or kind(path) != "translations":
        return None
    rows = read_verbs(path)
    return _set("wibemt-verbs", Plan(None, published=tuple(rows))), [row.translation for row in rows]


def paper(target: str) -> Detector:
    """The detector of protocol ``paper``."""
    from epicene.sets.wibemt.paper import ClassificationList

    return ClassificationList(target)


def detector(target: str) -> Detector:
    """The detector of protocol ``epicene``."""
    from epicene.sets.wibemt.naming import build

    return build(target)


def _set(name: str, plan: Plan) -> ChallengeSet:
    return ChallengeSet(
        name=name,
        title=_TITLES[name],
        sources=("en",),
        family="wibemt",
        paper=paper,
        items=plan.items,
        version=plan.version,
        licence="CC0 (words and scores of the paper); WinoBias: MIT, not shipped, see 'epicene data get winomt'",
        citation=_CITATION,
        card=_CARDS[name],
        detector=detector,
        of_file=of_file if name == "wibemt-verbs" else None,
    )


def builder(name: str) -> SetBuilder:
    """The whole, or one of its parts."""
    plain = build("", name)
    return SetBuilder(plain.title, partial(build, name=name), lambda _: plain.family, plain)


SET = builder("wibemt")
