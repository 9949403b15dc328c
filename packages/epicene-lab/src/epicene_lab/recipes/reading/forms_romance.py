"""Lexicons of forms for Spanish, French, Italian and Portuguese."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from epicene_lab.recipes.reading.forms_learn import Entry
from epicene_lab.recipes.reading.forms_sources import Affix, Noun, adjectives, hunspell, inflected, wiktionary

_PLURALS = {  # the first ending that fits; what to cut and what to add
    "es": [("z", "z", "ces"), ("ón", "ón", "ones"), ("án", "án", "anes"), ("és", "és", "eses"), ("ín", "ín", "ines"),
           ("s", "", ""), *((vowel, "", "s") for vowel in "aeiouéáó"), ("", "", "es")],
    "pt": [("ão", "ão", "ões"), ("ês", "ês", "eses"), ("m", "m", "ns"), ("al", "al", "ais"), ("el", "el", "éis"),
           ("ol", "ol", "óis"), ("ul", "ul", "uis"), ("il", "il", "is"), ("s", "", ""), ("r", "", "es"),
           ("z", "", "es"), ("", "", "s")],
    "fr": [("s", "", ""), ("x", "", ""), ("z", "", ""), ("al", "al", "aux"), ("eau", "", "x"), ("eu", "", "x"),
           ("", "", "s")],
    "ca": [("ció", "", "ns"), ("or", "", "s"), ("à", "à", "ans"), ("è", "è", "ens"), ("í", "í", "ins"),
           ("ó", "ó", "ons"), ("ca", "ca", "ques"), ("ga", "ga", "gues"), ("ja", "ja", "ges"), ("ça", "ça", "ces"),
           ("qua", "qua", "qües"), ("a", "a", "es"), ("às", "às", "assos"), ("ès", "ès", "esos"), ("s", "", "os"),
           ("x", "", "os"), ("", "", "s")],
}  # fmt: skip
_MAKE = {  # the same, for words for women that no dictionary lists
    "es": [("o", "a"), ("or", "ora"), ("és", "esa"), ("ón", "ona"), ("án", "ana"), ("ín", "ina")],
    "pt": [("ão", "ã"), ("o", "a"), ("or", "ora"), ("ês", "esa")],
    "it": [("tore", "trice"), ("iere", "iera"), ("o", "a")],
    "ca": [],
}  # fmt: skip
LANGUAGES = ("es", "fr", "it", "pt", "ca")
_FEMININES = {  # endings of words for men and of those for women beside them, the longest first
    "es": [("or", "ora"), ("o", "a"), ("és", "esa"), ("án", "ana"), ("ín", "ina"), ("ón", "ona"), ("e", "a"),
           ("dor", "dora"), ("tor", "triz"), ("l", "la"), ("n", "na"), ("z", "za")],
    "pt": [("or", "ora"), ("o", "a"), ("ês", "esa"), ("ão", "ã"), ("ão", "oa"), ("ão", "ona"), ("e", "a"),
           ("tor", "triz"), ("eu", "eia"), ("l", "la"), ("z", "za"), ("s", "sa")],
    "it": [("tore", "trice"), ("o", "a"), ("iere", "iera"), ("e", "a"), ("e", "essa"), ("a", "essa"),
           ("sore", "sora"), ("o", "essa"), ("ore", "oressa")],
    "ca": [("or", "ora"), ("", "a"), ("e", "a"), ("à", "ana"), ("í", "ina"), ("ó", "ona"), ("è", "ena"),
           ("ès", "esa"), ("leg", "loga"), ("òleg", "òloga"), ("t", "da"), ("c", "ga"), ("o", "a"), ("u", "va")],
    "fr": [("eur", "euse"), ("teur", "trice"), ("er", "ère"), ("en", "enne"), ("on", "onne"), ("", "e"),
           ("f", "ve"), ("x", "se"), ("e", "esse")],
}  # fmt: skip


def plural(word: str, language: str, gender: str = "m") -> list[str]:
    """The plural of a noun or adjective; Italian's depends on the gender."""
    if language == "it":
        return _italian_plural(word, gender)
    for ending, cut, add in _PLURALS[language]:
        if word.endswith(ending):
            return [word[: len(word) - len(cut)] + add]
    return []


def _italian_plural(word: str, gender: str) -> list[str]:
    if word.endswith(("ca", "ga")):
        return [word[:-1] + ("he" if gender == "f" else "hi")]
    if word.endswith(("co", "go")):
        return [word[:-1] + "hi", word[:-1] + "i"]
    if word.endswith(("cia", "gia")) and gender == "f":
        return [word[:-1] + "e", word[:-2] + "e"]
    if word.endswith("io"):
        return [word[:-1]]
    if word.endswith("a"):
        return [word[:-1] + ("e" if gender == "f" else "i")]
    if word.endswith(("o", "e")):
        return [word[:-1] + "i"]
    return [word]


def nouns(found: Iterator[Noun], language: str, pairs: dict[str, str] | None = None) -> Iterator[Entry]:
    """The forms of the nouns of a dictionary, with their counterparts.

    ``pairs`` gives words for women by the words for men, from another source.
    """
    genders: dict[str, set[str]] = defaultdict(set)
    votes: dict[str, list[bool]] = defaultdict(list)
    for noun in found:
        word = noun.lemma.lower()
        if " " in word or noun.plural:
            continue
        genders[word] |= noun.genders
        votes[word].append(noun.person)
    people = defaultdict(bool, {word: 2 * sum(said) >= len(said) for word, said in votes.items()})
    women = dict(_paired(genders, people, language))
    women.update({man: woman for man, woman in (pairs or {}).items() if woman not in genders or "f" in genders[woman]})
    for word in sorted(genders):
        if genders[word] == {"m"} and people[word] and word not in women and word.isalpha() and len(word) > 3:
            made = next((word.removesuffix(man) + woman for man, woman in _MAKE[language] if word.endswith(man)), None)
            if made and made not in genders:
                women[word] = made
    men = {woman: man for man, woman in women.items()}
    for word in sorted(genders):
        kind = genders[word] & {"m", "f"}
        kind = {"m"} if kind == {"f"} and word in women else kind
        person = people[word] or people[women.get(word, "")] or people[men.get(word, "")]
        if word in women and word in men:
            continue
        if kind == {"m", "f"} and word not in men:
            yield from _one(word, "c", language, "+" if person else "-", ".")
            if word in women:
                yield from list(both(word, women[word], language, "+" if person else "?"))[1::2]
        elif word in women:
            yield from both(word, women[word], language, "+" if person else "?")
        elif word in men and men[word] in genders:
            continue  # comes with the word for a man
        elif word in men:
            yield from both(men[word], word, language, "+" if person else "?")
        elif kind:
            (gender,) = kind
            yield from _one(word, gender, language, "+" if person else "-", ".")
    for man, woman in women.items():
        if man not in genders:
            yield from both(man, woman, language, "?")
        if man.endswith("ão"):  # cidadãos, capitães
            for ending in ("ãos", "ães"):
                yield Entry(man[:-2] + ending, "N", "m", "p", "+" if people[man] else "?")


def both(man: str, woman: str, language: str, person: str = "+", pos: str = "N") -> Iterator[Entry]:
    """The four forms of a word for a man and of the one for a woman."""
    yield Entry(man, pos, "m", "s", person, other=woman)
    yield Entry(woman, pos, "f", "s", person, other=man)
    for many_men, many_women in zip(plural(man, language), plural(woman, language, "f"), strict=False):
        yield Entry(many_men, pos, "m", "p", person, other=many_women)
        yield Entry(many_women, pos, "f", "p", person, other=many_men)


def _one(word: str, gender: str, language: str, person: str, fixed: str) -> Iterator[Entry]:
    yield Entry(word, "N", gender, "s", person, fixed)
    if language == "it" and gender == "c":
        for each in ("m", "f"):
            for form in plural(word, language, each):
                yield Entry(form, "N", each if word.endswith("a") else "c", "p", person, fixed)
        return
    for form in plural(word, language, gender):
        yield Entry(form, "N", gender, "p", person, fixed)


def _paired(genders: dict[str, set[str]], people: dict[str, bool], language: str) -> Iterator[tuple[str, str]]:
    """Words for men and for women that a dictionary lists both."""
    for word, kind in genders.items():
        if "m" not in kind or len(word) < 4:
            continue
        for man, woman in _FEMININES[language]:
            if word.endswith(man):
                other = word[: len(word) - len(man)] + woman
                if other != word and "f" in genders.get(other, ()) and (people[word] or people[other]):
                    yield word, other
                    break


def spanish(root: Path) -> Iterator[Entry]:
    """Spanish: the Hunspell dictionary's words with both genders, the Wiktionary's nouns."""
    stems, rules = hunspell(root / "hunspell", "es_ES")
    pairs = {}
    for stem in stems:
        word = stem.word.lower()
        if "G" in stem.flags:
            women = [form for form, _ in inflected(word, rules["G"]) if form.endswith("a")]
            for woman in women[:1]:
                pairs[word] = woman
                yield from both(word, woman, "es", "?", "A")
        elif stem.flags & set("REIXY") and re.search(r"[aeií]r(?:se)?$", word):
            yield from _spanish_verb(word, stem.flags, rules)
        elif "S" in stem.flags and re.search(r"(?:[^cs]ión|dad|tud|anza|encia|ancia|umbre|ez|ura)$", word):
            yield from _one(word, "f", "es", "-", ".")
        elif "S" in stem.flags and re.search(r"(?:ble|al|il|ar|nte|ense)$", word):
            yield from _common(word, "es")
        else:
            yield Entry(word, "X")
    dictionary = list(wiktionary(root / "wiktionary", "es", root / "wordnet"))
    listed = {noun.lemma.lower() for noun in dictionary}
    for word in adjectives(root / "wiktionary", "es"):
        if word.endswith("o"):
            yield from both(word, word[:-1] + "a", "es", "?", "A")
    yield from nouns(iter(dictionary), "es", {man: woman for man, woman in pairs.items() if man in listed})


def _common(word: str, language: str) -> Iterator[Entry]:
    """An adjective with one form for both genders."""
    yield Entry(word, "A", "c", "s")
    for form in plural(word, language):
        yield Entry(form, "A", "c", "p")


def _spanish_verb(word: str, flags: frozenset[str], rules: dict[str, list[Affix]]) -> Iterator[Entry]:
    for flag in flags:
        for form, _ in inflected(word, rules.get(flag, [])):
            if not re.search(r"[ai]d[oa]s?$", form):
                yield Entry(form, "X")
    stem = word.removesuffix("se")
    participle = stem[:-2] + ("ado" if stem.endswith("ar") else "ído" if stem[-3:-2] in "aeo" else "ido")
    yield from both(participle, participle[:-1] + "a", "es", "?", "P")


def portuguese(root: Path) -> Iterator[Entry]:
    """Portuguese: the Hunspell dictionary with its tags, the Wiktionary's nouns."""
    stems, rules = hunspell(root / "hunspell", "pt_PT")
    pairs: dict[str, str] = {}
    for stem in stems:
        word = stem.word.lower()
        category = re.search(r"CAT=(\w+)", stem.tags)
        gender = {"m": "m", "f": "f"}.get((re.search(r"G=(\w)", stem.tags) or " _")[1], "c")
        kind = category[1] if category else ""
        if kind == "v":
            yield from _portuguese_verb(word, stem.flags, rules)
        elif kind in ("nc", "adj", "a_nc"):
            women = [form for form, rule in inflected(word, rules["f"]) if "N=p" not in rule.tags]
            women = women if "f" in stem.flags else [word + "a"] if gender == "m" and word.endswith("or") else []
            for pos in {"nc": "N", "adj": "A", "a_nc": "AN"}[kind]:
                person = "?" if pos == "A" or women or gender == "c" else "-"
                if women:
                    pairs.update({word: women[0]} if pos == "N" else {})
                    yield from both(word, women[0], "pt", person, pos)
                else:
                    yield Entry(word, pos, gender, "s", person)
                    for form in plural(word, "pt"):
                        yield Entry(form, pos, gender, "p", person)
        else:
            yield Entry(word, "X")
    for word in adjectives(root / "wiktionary", "pt"):
        if word.endswith("o") and not word.endswith("ão"):
            yield from both(word, word[:-1] + "a", "pt", "?", "A")
    yield from nouns(wiktionary(root / "wiktionary", "pt", root / "wordnet"), "pt", pairs)


def _portuguese_verb(word: str, flags: frozenset[str], rules: dict[str, list[Affix]]) -> Iterator[Entry]:
    for flag in flags:
        for form, _ in inflected(word, rules.get(flag, [])):
            if not re.search(r"[ai]d[oa]s?$", form):
                yield Entry(form, "X")
    if word.endswith(("ar", "er", "ir")):
        if "D" in flags:
            yield from both(word[:-1] + "dor", word[:-1] + "dora", "pt", "?")
        participle = word[:-2] + ("ado" if word.endswith("ar") else "ído" if word[-3:-2] in "aeou" else "ido")
        yield from both(participle, participle[:-1] + "a", "pt", "?", "P")


_FRENCH_TAGS = {"mas": "m", "fem": "f", "epi": "c"}


def french(root: Path) -> Iterator[Entry]:
    """French: the Hunspell dictionary with its tags, and who is a person from the Wiktionary."""
    stems, rules = hunspell(root / "hunspell", "fr", long_flags=True)
    dictionary = list(wiktionary(root / "wiktionary", "fr", root / "wordnet"))
    people = {noun.lemma.lower() for noun in dictionary if noun.person}
    for stem in stems:
        word = stem.word.lower()
        entries = list(_french_forms(word, stem.flags, stem.tags, rules))
        kinds = set(re.findall(r"po:(\w+)", stem.tags))
        if "adj" in kinds and word in people:
            kinds.add("nom")
        for pos in sorted(kinds):
            if pos[:2] in ("v0", "v1", "v2", "v3") or pos == "infi":
                yield from (Entry(form, "X") for flag in stem.flags for form, _ in inflected(word, rules.get(flag, [])))
                yield from _french_participles(word, stem.flags, rules)
                continue
            code = {"nom": "N", "adj": "A", "titr": "N", "ppas": "P"}.get(pos)
            if code is None:
                yield Entry(word, "X")
                continue
            paired = {gender for _, gender, _, _ in entries} >= {"m", "f"}
            for form, gender, number, other in entries:
                person = "?"
                if code == "N":
                    known = word in people or form in people
                    person = "+" if known else "?" if paired or gender == "c" else "-"
                yield Entry(form, code, gender, number, person, other=other)


def _french_forms(
    word: str,
    flags: frozenset[str],
    tags: str,
    rules: dict[str, list[Affix]],
) -> Iterator[tuple[str, str, str, str]]:
    """Forms of a noun or adjective: form, gender, number, the form of the other gender."""
    own = {_FRENCH_TAGS[tag] for tag in re.findall(r"is:(mas|fem|epi)", tags)}
    made: list[tuple[str, str, str]] = []
    for flag in flags:
        for form, rule in inflected(word, rules.get(flag, [])):
            gender = {_FRENCH_TAGS[tag] for tag in re.findall(r"is:(mas|fem|epi)", rule.tags)} or own
            number = "p" if "is:pl" in rule.tags else "s" if "is:sg" in rule.tags else "-"
            made.extend((form, each, number) for each in gender or {"m"})
    if not made:
        number = "p" if "is:pl" in tags else "s" if "is:sg" in tags else "-"
        made = [(word, each, number) for each in own or {"c"}]
    for form, gender, number in made:
        others = [other for other, kind, count in made if {kind, gender} == {"m", "f"} and number in (count, "-")]
        if not others:
            others = [other for other, kind, count in made if {kind, gender} == {"m", "f"} and count == "-"]
        yield form, gender, number, others[0] if others and others[0] != form else ""


def _french_participles(word: str, flags: frozenset[str], rules: dict[str, list[Affix]]) -> Iterator[Entry]:
    found: dict[tuple[str, str], str] = {}
    for flag in flags:
        for form, rule in inflected(word, rules.get(flag, [])):
            if "po:ppas" in rule.tags:
                gender = "f" if "is:fem" in rule.tags else "m" if "is:mas" in rule.tags else "c"
                number = "p" if "is:pl" in rule.tags else "s" if "is:sg" in rule.tags else "-"
                found[gender, number] = form
    for (gender, number), form in found.items():
        other = found.get(({"m": "f", "f": "m"}.get(gender, ""), number), "")
        yield Entry(form, "P", gender, number, other=other)


def italian(root: Path) -> Iterator[Entry]:
    """Italian: nouns and adjectives of Morph-it!, the Wiktionary's nouns."""
    adjectives = json.loads((root / "italian" / "adjectives.json").read_text())
    pairs: dict[str, str] = {}
    for word, forms in adjectives.items():
        word = word.lower()
        forms = {name: form for name, form in forms.items() if form}
        if forms.get("FS", word) == word:
            yield Entry(word, "A", "c", "s")
            yield Entry(forms.get("MP", word), "A", "c" if forms.get("MP") == forms.get("FP") else "m", "p")
            if forms.get("MP") != forms.get("FP"):
                yield Entry(forms.get("FP", word), "A", "f", "p")
            continue
        pairs[word] = forms["FS"]
        yield Entry(word, "A", "m", "s", other=forms["FS"])
        yield Entry(forms["FS"], "A", "f", "s", other=word)
        if "MP" in forms and "FP" in forms:
            yield Entry(forms["MP"], "A", "m", "p", other=forms["FP"])
            yield Entry(forms["FP"], "A", "f", "p", other=forms["MP"])
    listed = json.loads((root / "italian" / "words.json").read_text())
    morphit = [
        Noun(word, frozenset(noun["G"].lower()), False, "c", False)
        for word, noun in listed.items()
        if noun.get("G") in ("M", "F")
    ]
    dictionary = list(wiktionary(root / "wiktionary", "it", root / "wordnet"))
    people = {noun.lemma.lower() for noun in dictionary if noun.person}
    epicene = {noun.lemma.lower() for noun in dictionary if noun.genders >= {"m", "f"}}
    for noun in morphit:
        if noun.lemma.endswith(("ista", "nte")) and noun.genders == {"m"} and noun.lemma[:-1] + "essa" not in listed:
            epicene.add(noun.lemma)
    dictionary += morphit
    dictionary += [Noun(word, frozenset("mf"), word in people, "c", False) for word in epicene]
    known = {noun.lemma.lower() for noun in dictionary}
    yield from nouns(iter(dictionary), "it", {man: woman for man, woman in pairs.items() if man in known})


def catalan(root: Path) -> Iterator[Entry]:
    """Catalan: the Wiktionary's nouns and adjectives."""
    found = list(wiktionary(root / "wiktionary", "ca", root / "wordnet"))
    for word in sorted(set(adjectives(root / "wiktionary", "ca"))):
        woman = _catalan_feminine(word)
        if woman == word:
            yield from _common(word, "ca")
        else:
            yield from both(word, woman, "ca", "?", "A")
    men = {noun.lemma.lower() for noun in found if noun.person and noun.genders == {"m"}}
    yield from nouns(iter(found), "ca", {man: _catalan_feminine(man) for man in men if _catalan_feminine(man) != man})


def _catalan_feminine(word: str) -> str:
    """The feminine of a Catalan adjective or of a word for a man."""
    endings = (("leg", "loga"), ("à", "ana"), ("è", "ena"), ("é", "ena"), ("í", "ina"), ("ó", "ona"), ("ès", "esa"),
               ("ú", "una"), ("at", "ada"), ("it", "ida"), ("ut", "uda"), ("ic", "iga"), ("e", "a"), ("o", "a"),
               ("eu", "ea"), ("iu", "iva"), ("au", "ava"), ("ou", "ova"))  # fmt: skip
    if word.endswith(("ista", "ble", "al", "el", "il", "nt", "aç", "iç", "a", "ença", "ar")) and not word.endswith(
        "ant"
    ):
        return word
    if re.search(r"[íàúéó][a-z]*ic$", word):
        return word + "a"
    for man, woman in endings:
        if word.endswith(man):
            return word.removesuffix(man) + woman
    return word + "a"
