"""How well endings tell of words that were hidden.

Run python -m epicene_lab.recipes.reading.forms_heldout SOURCES [LANGUAGE ...].

A tenth of the words, those whose first five letters hash so (all forms of a word together), is hidden from the learner.
Printed is for how many of the nouns for people, other nouns, adjectives or participles, and verbs with one gender the
endings tell that gender, no gender, or the other one, in per cent; then the share of nouns for people that are taken
for such, and of other nouns that are.
"""

from __future__ import annotations

import sys
import zlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from epicene.reader.forms import END
from epicene_lab.recipes.reading.forms import LEXICONS, heads, lexicon
from epicene_lab.recipes.reading.forms_learn import Rule, learn

_PART = 10
_KINDS = ("person", "noun", "adjective", "verb")
_TOLD = ("right", "open", "wrong")


def hidden(word: str) -> bool:
    """Whether a word belongs to the tenth that is held out."""
    return zlib.crc32(word[:5].encode()) % _PART == 0


def found(word: str, rules: Mapping[str, Rule]) -> str:
    """The label that the rules give a word."""
    for start in range(-1, len(word) + 1):
        rule = rules.get(END + word if start < 0 else word[start:])
        if rule is not None:
            return rule.label
    return ""


def genders(label: str, kinds: str) -> frozenset[str]:
    """The genders of the readings of some kinds; N+ nouns for people, N other nouns."""
    return frozenset(code[1] for code in label.split() if code[0] in kinds)


def compare(words: Mapping[str, str], shortest_head: int) -> Counter[str]:
    """Counts of words seen and of those that the rules learnt without them have right."""
    rules = {rule.suffix: rule for rule in learn({w: c for w, c in words.items() if not hidden(w)}, shortest_head)}
    counts: Counter[str] = Counter()
    for word, label in words.items():
        if not hidden(word) or not label:
            continue
        said = found(word, rules)
        person = any(code[0] == "N" and code[3] == "+" for code in label.split())
        for name, kinds in (("noun", "N"), ("adjective", "AP"), ("verb", "V")):
            true = genders(label, kinds) & {"f", "m"}
            if len(true) == 1:
                kind = "person" if name == "noun" and person else name
                told = genders(said, "NAPV") & {"f", "m"}
                counts[kind] += 1
                counts[f"{kind} {'right' if told == true else 'wrong' if told and not told & true else 'open'}"] += 1
        if "N" in label:
            taken = any(code[0] == "N" and code[3] == "+" for code in said.split())
            counts["people" if person else "things"] += 1
            counts["people taken" if person else "things taken"] += taken
    return counts


def main() -> None:
    """Print a line for each language."""
    print("     " + "".join(f"{kind:>11} right  open wrong" for kind in _KINDS) + "   people taken  things taken")
    for language in sys.argv[2:] or LEXICONS:
        counts: Counter[str] = Counter()
        for name in LEXICONS[language]:
            counts += compare(lexicon(language, name, Path(sys.argv[1])), heads(language))
        cells = "".join(
            f"{counts[kind]:11}"
            + "".join(f"{100 * counts[f'{kind} {told}'] / max(1, counts[kind]):6.1f}" for told in _TOLD)
            for kind in _KINDS
        )
        people = 100 * counts["people taken"] / max(1, counts["people"])
        things = 100 * counts["things taken"] / max(1, counts["things"])
        print(f"{language:5}{cells}{people:14.1f}{things:14.1f}", flush=True)


if __name__ == "__main__":
    main()
