"""Reads the gender of a person from the pronouns of English output.

1. ``he-or-she``: one phrase that names both (he or she, s/he, s(he), he's/she's, his/her, she/they, they/he).
2. ``both``: two clauses, one with he and one with she, that say the same.
3. ``he``, ``she``, ``they``: of several, the pronoun of the clause that says what the person is, then subjects before
   objects before possessives, then the earlier.
4. ``it``, where no pronoun means a person.
5. ``man``, ``woman``, ``person``: such a noun as the subject, where there is no pronoun.
6. ``none``: nothing that could be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from epicene.types import Evidence, Gender, Output, Verdict

_VERSION = 3  # of the rules

GENDERS = {
    "he": Gender.MASCULINE,
    "man": Gender.MASCULINE,
    "she": Gender.FEMININE,
    "woman": Gender.FEMININE,
    "they": Gender.NEUTRAL,
    "it": Gender.NEUTRAL,
    "person": Gender.NEUTRAL,
    "he-or-she": Gender.NEUTRAL,
    "both": Gender.NEUTRAL,
    "none": Gender.UNKNOWN,
}
# By pronoun: subject forms (some lose their apostrophe), object forms, possessives.
_CASES = {
    "he": ("he hes", "him himself", "his"),
    "she": ("she shes", "her herself", "hers"),
    "they": ("they theyre", "them themself themselves", "their theirs"),
    "it": ("it", "itself", "its"),
}
_FORMS = {
    form: (pronoun, case)
    for pronoun, cases in _CASES.items()
    for case, forms in enumerate(cases)
    for form in forms.split()
}
# Not part of a hyphened word, nor of an abbreviation with full stops.
_PRONOUN = re.compile(rf"(?=[hist])(?<![\w.])(?<!\w-)(?:{'|'.join(_FORMS)})(?!\w|-\w|\.\w)", re.IGNORECASE)
_SHORT = r"(?:(?:['’]|&#39;)(?:s|d|ll))?"  # he's, she'll
_HE, _SHE = rf"(?:he{_SHORT}|him|his|himself)", rf"(?:she{_SHORT}|her|hers|herself)"
_SLASH = r"/\u2044\u2215\uff0f"  # and what looks like one
_OR = r"(?:,?\s|[–—]\s?)(?:and\s?/\s?)?or\b,?(?:\s(?:perhaps|maybe|possibly))?"
_LINK = rf"\s*(?:[{_SLASH}\\|&-]|\((?:or\s)?|{_OR}|\sand\s)\s*"
_HE_OR_SHE = re.compile(
    rf"\b(?:{_HE}{_LINK}{_SHE}|{_SHE}{_LINK}{_HE})\b"
    rf"|(?<!\w)\(s\)he\b|\bs(?:/he\b|\(he\))|\bs?he{_SHORT}\s?/\s?they\b|\bthey(?:['’]re)?(?:\s?/\s?|\sor\s)s?he\b",
    re.IGNORECASE,
)
# What stands in every spelling of both that holds one pronoun or none, or one beside they.
_ONE_WORD = ("s/he", "(s)he", "s(he)", "/they", "/ they", "they", "he-she", "she-he")
_IS_SHORT = re.compile(r"\b(s?he)(?:['’]|&#39;)s\b", re.IGNORECASE)
_BE = r"(?:(?:is|are|was|were)(?:n['’]t)?|be|been|being|becom(?:e|es|ing)|became)"
# After a subject: is …, 's …, works as …, may have been …; after an object: (call him) a …, as …, to be …; before
# either: (it) is (he), appointed (him).
_ADVERB = r"(?:\s(?!(?:s?he|h(?:im|er)|the(?:y|m)|it|that)\b)[\w'’]+)"  # or an auxiliary: no other person
_SUBJECT_IS = re.compile(
    r"(?:['’]|&#39;)(?:s|re)\b"
    rf"|(?:['’](?:ll|d|ve))?{_ADVERB}{{0,3}}?\s(?:{_BE}\b|(?:work(?:s|ed|ing)?|employed)\sas\b)",
    re.IGNORECASE,
)
_OBJECT_IS = re.compile(r"\s(?:an?|the|as|to\s(?:be|become))\s", re.IGNORECASE)
_IS_BEFORE = re.compile(rf"(?:\b{_BE}|['’]s|\b(?:appointed|elected|named))\s$", re.IGNORECASE)
_CLAUSE_END = re.compile(
    rf"[.;:!?\n{_SLASH}|()\[\]\"“”→]+|\s[-–—]\s|,(?=\s(?:or\s)?s?he\b)|\s(?=or\ss?he\b)|(?<=\w)\s(?=s?he\b)",
    re.IGNORECASE,
)
# What says no more of a person than that there are two answers.
_EMPTY = frozenset(
    [
        "or",
        "and",
        "if",
        "alternatively",
        "also",
        "either",
        "maybe",
        "perhaps",
        "possibly",
        "feminine",
        "masculine",
        "female",
        "male",
    ]
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_SAME = 3  # letters that the words of two clauses share at least: actor, actress
_SUBJECT_NOUN = re.compile(
    r"\W*(?:(?:the|this|that|an?)\s(?:(?P<man>man|guy|gentleman|boy)|(?P<woman>woman|lady|girl)"
    r"|(?P<person>person|individual))\b|(?P<someone>some(?:one|body)\b))",
    re.IGNORECASE,
)
Span = tuple[int, int]


class Pronoun:
    """Reads English output, whatever the set."""

    identity = f"pronoun{_VERSION}"

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order; the method is the form that was read."""
        for output in outputs:
            form, spans = read(output.text)
            evidence = tuple(Evidence(output.text[start:end], start, end) for start, end in spans)
            both = _strategy(evidence[0].text) if form in ("he-or-she", "both") else None
            yield Verdict(output, GENDERS[form], form, evidence, inclusive=both)


def _strategy(both: str) -> str:
    """How a phrase names both: he or she, (s)he, s/he."""
    if "(s" in both.lower() or "(he" in both.lower():
        return "bracket"
    return "slash" if both.lower().startswith("s/") else "doublet"


def read(text: str) -> tuple[str, tuple[Span, ...]]:
    """The form that names the person, and where it stands."""
    found = [(*_FORMS[match[0].lower()], match) for match in _PRONOUN.finditer(text) if _is_pronoun(match, text)]
    people = {pronoun for pronoun, _, _ in found} - {"it"}
    if _may_be_both(text, people) and (match := _HE_OR_SHE.search(text)):
        return "he-or-she", (match.span(),)
    if len(people) == 1:
        (pronoun,) = people
        return pronoun, (next(match.span() for name, _, match in found if name == pronoun),)
    if not people:
        return ("it", (found[0][2].span(),)) if found else _noun(text)
    subjects = {pronoun: match.span() for pronoun, case, match in reversed(found) if case == 0}
    if subjects.keys() >= {"he", "she"} and _said_of_both(text):
        return "both", tuple(sorted((subjects["he"], subjects["she"])))
    pronoun, _, match = min(
        (each for each in found if each[0] in people), key=lambda each: (not _states(text, *each[1:]), each[1])
    )
    return pronoun, (match.span(),)


def _may_be_both(text: str, people: set[str]) -> bool:
    """Whether a search for a phrase that names both can find one; most texts are ruled out by a plain look."""
    small = text.lower()
    return {"he", "she"} <= people or any(spelling in small for spelling in _ONE_WORD)


def _is_pronoun(match: re.Match[str], text: str) -> bool:
    """Whether it is no abbreviation: IT in a text that is not all in capitals."""
    return match[0] != "IT" or text.isupper()


def _states(text: str, case: int, match: re.Match[str]) -> bool:
    """Whether the pronoun stands in a clause that says what the person is."""
    if case == 2:
        return False
    after = _SUBJECT_IS if case == 0 else _OBJECT_IS
    return bool(after.match(text, match.end()) or _IS_BEFORE.search(text, 0, match.start()))


def _said_of_both(text: str) -> bool:
    """Whether a clause with he and one with she say the same, or the second only adds the other pronoun."""
    said: dict[str, list[list[str]]] = {"he": [], "she": []}
    for clause in _CLAUSE_END.split(_IS_SHORT.sub(r"\1 is", text)):
        words = [word.lower() for word in _WORD.findall(clause)]
        for pronoun in said.keys() & set(words):
            said[pronoun].append([word for word in words if word != pronoun and word not in _EMPTY])
    return any(_alike(first, second) for first in said["he"] for second in said["she"])


def _alike(first: list[str], second: list[str]) -> bool:
    if len(first) != len(second):
        return min(first, second, key=len) in (["is"], ["was"])
    return all(one[:_SAME] == other[:_SAME] for one, other in zip(first, second, strict=True))


def _noun(text: str) -> tuple[str, tuple[Span, ...]]:
    match = _SUBJECT_NOUN.match(text)
    if match is None:
        return "none", ()
    form = "person" if match.lastgroup == "someone" else str(match.lastgroup)
    return form, (match.span(match.lastgroup or 0),)
