"""Lexicons of forms made of treebanks, UniMorph, dictionaries and the endings of ``inflection.toml``."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from epicene_lab.recipes.reading.forms_learn import Entry
from epicene_lab.recipes.reading.forms_sources import adjectives, synsets, wiktionary

_WIKTIONARY = {"ar": "arb", "hr": "sh", "sr": "sh"}
_WORDNETS = {
    "ar": ("arb", "wikt-arb"), "be": ("wikt-bel",), "bg": ("bul", "wikt-bul"),
    "ca": ("cat", "wikt-cat"), "cs": ("wikt-ces",), "el": ("ell", "wikt-ell"), "he": ("heb", "wikt-heb"),
    "hi": ("wikt-hin",), "hr": ("hrv", "wikt-hbs"), "is": ("isl", "wikt-isl"), "mk": ("wikt-mkd",),
    "nl": ("nld", "wikt-nld"), "pl": ("pol", "wikt-pol"), "ro": ("wikt-ron",), "sk": ("slk", "wikt-slk"),
    "sl": ("slv", "wikt-slv"), "sr": ("hrv", "wikt-hbs"), "uk": ("wikt-ukr",),
}  # fmt: skip
_CONSONANT_ADJECTIVES = frozenset(("bg", "hr", "mk", "sl", "sr"))
_ENDINGS = {"hr": "hr", "sr": "hr"}
_TREEBANKS = {"sr": ("sr", "hr"), "hr": ("hr", "sr"), "mk": ()}
_FEMININE = {  # how a noun of unknown gender ends if it is feminine, and if it is neuter
    "el": (r"[αάηή]$|ού$", r"[οόιί]$|μα$"), "ro": (r"[ăea]$", r"$^"), "ar": (r"ة$", r"$^"), "he": (r"[הת]$", r"$^"),
    "hi": (r"[ीि]$", r"$^"), "is": (r"a$|ing$|un$", r"$^"),
    "nl": (r"(?:ster|in|es|esse|vrouw|ice|euse|ière|meid|dame|zus|moeder)$", r"$^"),
}  # fmt: skip
_SLAVIC = (r"[aáая]$|ost$|nice$|yně$|ость$", r"[oeéое]$")
_MARKS = {"\u0301", "\u0300", "\u0311", "\u030f"}  # accents that dictionaries write and texts do not
_VOWELS = re.compile("[\u064b-\u0652\u0670\u0591-\u05c7]")
_LATIN = "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š"
_CYRILLIC = "а б в г д ђ е ж з и ј к л љ м н њ о п р с т ћ у ф х ц ч џ ш"


class _Lemma(NamedTuple):
    word: str
    gender: str  # f, m, n, c
    person: bool


@cache
def _rules(language: str) -> dict[str, Any]:
    path = Path(__file__).parent / "inflection.toml"
    rules: dict[str, Any] = tomllib.loads(path.read_text())
    return rules[_ENDINGS.get(language, language)]  # type: ignore[no-any-return]


def plain(word: str, language: str) -> str:
    """A word as texts spell it, without the marks that dictionaries add."""
    if language in ("ar", "he"):
        return _VOWELS.sub("", word)
    if language in ("be", "bg", "mk", "sl", "uk"):
        letters = [letter for letter in unicodedata.normalize("NFD", word) if letter not in _MARKS]
        return unicodedata.normalize("NFC", "".join(letters))
    return word


def entries(root: Path, language: str) -> Iterator[Entry]:
    """All entries of a language; Serbian in both scripts."""
    for entry in _entries(root, language):
        yield entry
        if language == "sr" and re.search("[a-z]", entry.form):
            yield entry._replace(form=cyrillic(entry.form), other=cyrillic(entry.other))


def cyrillic(word: str) -> str:
    """A Serbian word in Cyrillic letters."""
    letters = dict(zip(_LATIN.split(), _CYRILLIC.split(), strict=True))
    for latin in sorted(letters, key=len, reverse=True):
        word = word.replace(latin, letters[latin])
    return word


def _entries(root: Path, language: str) -> Iterator[Entry]:
    tokens = list(_treebank(root, language))
    lemmas = _lemmas(root, language, tokens)
    by_word = {lemma.word: lemma for lemma in lemmas}
    women = _pairs(by_word, language)
    men = {woman: man for man, woman in women.items()}
    others = {form for form, pos, *_ in tokens if pos not in "N"} - {form for form, pos, *_ in tokens if pos == "N"}
    for lemma in by_word.values():
        other = women.get(lemma.word) if lemma.gender == "m" else men.get(lemma.word)
        for entry in _noun(lemma, by_word.get(other or ""), language):
            if entry.form not in others:  # a form that treebanks know, but never as a noun
                yield entry
    for form, pos, gender, number, case, word in tokens:
        person = "?"
        if pos == "N":
            known = by_word.get(word)
            person = "+" if known and known.person else "-" if gender == "n" or known else "?"
            gender = known.gender if known and (known.gender == "c" or language == "nl") else gender
        yield Entry(form, pos, gender, number, person, case=case)
    yield from _unimorph(root, language)
    code = _WIKTIONARY.get(language, language)
    for word in sorted(set(adjectives(root / "wiktionary", code))):
        yield from _adjective(plain(word, language), language)
    infinitives = {plain(word, language) for word in adjectives(root / "wiktionary", code, "v")}
    for word in sorted(infinitives | {token[5] for token in tokens if token[1] == "V"}):
        yield from _past(word, language)


def _treebank(root: Path, language: str) -> Iterator[tuple[str, str, str, str, str, str]]:
    """Form, part of speech, gender, number, case and lemma of the words of the treebanks."""
    counts: Counter[tuple[str, ...]] = Counter()
    for name in _TREEBANKS.get(language, (language,)):
        path = root / "ud" / f"{name}.conllu"
        for line in path.read_text().splitlines() if path.exists() else ():
            fields = line.split("\t")
            if len(fields) == 10 and fields[0].isdigit() and re.fullmatch(r"[^\W\d_][\w'’\-]*", fields[1]):
                feats = dict(item.split("=", 1) for item in fields[5].split("|") if "=" in item)
                counts[
                    (plain(fields[1].lower(), language), *_tagged(fields[3], feats), plain(fields[2].lower(), language))
                ] += 1
    readings: dict[str, int] = defaultdict(int)
    for (form, *_), count in counts.items():
        readings[form] = max(readings[form], count)
    for item, count in counts.items():
        if item[1] and count * 10 >= readings[item[0]]:  # slips of the annotators left out
            yield item  # type: ignore[misc]


def _tagged(upos: str, feats: dict[str, str]) -> tuple[str, str, str, str]:
    genders = set(feats.get("Gender", "").split(","))
    gender = "c" if genders >= {"Fem", "Masc"} else {"F": "f", "M": "m", "N": "n"}.get(min(genders)[:1], "c")
    number = {"Sing": "s", "Plur": "p", "Dual": "p", "Plur,Sing": "s"}.get(feats.get("Number", ""), "-")
    case = "n" if feats.get("Case") == "Nom" else "."
    pos = {"NOUN": "N", "ADJ": "A", "DET": "D", "PRON": "O"}.get(upos, "X")
    if upos in ("VERB", "AUX"):
        pos = "V" if "Gender" in feats else "X"
        if feats.get("VerbForm") == "Part" and "Tense" not in feats:
            pos = "P"
    if upos == "PROPN" or feats.get("Number") == "Dual":
        return "", "", "", ""
    if pos == "X" or (pos in "DO" and "Gender" not in feats and "Person" not in feats):
        return "X", "c", "-", "."
    return pos, gender, number, case


def _lemmas(root: Path, language: str, tokens: list[tuple[str, str, str, str, str, str]]) -> list[_Lemma]:
    """The nouns of the dictionaries: their gender and whether they name people."""
    genders: dict[str, set[str]] = defaultdict(set)
    votes: dict[str, list[bool]] = defaultdict(list)
    wordnet = root / "wordnet"
    for noun in wiktionary(root / "wiktionary", _WIKTIONARY.get(language, language), wordnet):
        word = plain(noun.lemma.lower(), language).removesuffix("ٍ")
        if " " not in word and not noun.plural and word:
            genders[word] |= noun.genders
            votes[word].append(noun.person)
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for _, pos, gender, _, _, lemma in tokens:
        if pos == "N":
            seen[lemma][gender] += 1
    for word, person in _wordnet(root, language, wordnet):
        votes[word].append(person)
    found = []
    for word, said in sorted(votes.items()):
        person = 2 * sum(said) >= len(said)
        kind = genders.get(word) or {gender for gender, _ in seen[word].most_common(1)} or {_guessed(word, language)}
        gender = "c" if {"m", "f"} <= kind else sorted(kind)[0]
        if person or genders.get(word) or word in seen:
            found.append(_Lemma(word, gender, person))
    return found


def _guessed(word: str, language: str) -> str:
    feminine, neuter = _FEMININE.get(language, _SLAVIC)
    return "f" if re.search(feminine, word) else "n" if re.search(neuter, word) else "m"


def _wordnet(root: Path, language: str, wordnet: Path) -> Iterator[tuple[str, bool]]:
    """Single words of the Open Multilingual Wordnet, and whether each sense is a person."""
    nouns = synsets(wordnet)
    for name in _WORDNETS.get(language, ()):
        path = root / "omw" / f"wn-{name if name.startswith('wikt') else 'data-' + name}.tab"
        for line in path.read_text().splitlines() if path.exists() else ():
            fields = line.split("\t")
            if len(fields) == 3 and fields[0].endswith("-n") and fields[1].endswith("lemma"):
                synset = nouns.get(fields[0][:8])
                word = plain(fields[2].lower().strip(), language)
                if synset and not synset[3] and re.fullmatch(r"[^\W\d_]+", word):
                    yield word, synset[0] == "18"


def _past(word: str, language: str) -> Iterator[Entry]:
    """The past tense of a verb, where it shows a gender; of Arabic the base form is one itself."""
    if language == "ar" and re.fullmatch(r"[^\W\d_]{3,}", word):
        yield Entry(word, "V", "m", "s")
        yield Entry(re.sub("[اى]$", "", word) + "ت", "V", "f", "s")
        return
    kinds = _rules(language).get("verbs", {})
    ending = max((each for each in kinds if word.endswith(each)), key=len, default=None)
    if ending is None:
        return
    single, _, many = kinds[ending].partition(" | ")
    stem = word.removesuffix(ending)
    yield Entry(word, "X")
    for gender, each in zip("mfn", single.split(), strict=True):
        yield Entry(stem + each, "V", gender, "s")
    for gender, each in zip("mf", many.split(), strict=False):
        yield Entry(stem + each, "V", gender if len(many.split()) > 1 else "c", "p")


def _pairs(lemmas: dict[str, _Lemma], language: str) -> dict[str, str]:
    """Words for women by the words for men beside them; where none is listed the usual one is made."""
    found: dict[str, str] = {}
    bare = {_unaccented(word, language): lemma for word, lemma in lemmas.items()}
    for word, lemma in lemmas.items():
        if lemma.gender != "f":
            continue
        for rule in _rules(language)["women"]:
            woman, man = _unaccented(rule.replace(".", ""), language).split(" ")
            key = _unaccented(word, language)
            base = bare.get(key.removesuffix(woman) + man)
            fits = key.endswith(woman) and base and base.word != word and base.gender == "m"
            if fits and base and base.person and lemma.person and len(base.word) > 2:
                found.setdefault(base.word, word)
                break
    for word, lemma in list(lemmas.items()):
        if lemma.gender == "m" and lemma.person and word not in found:
            for rule in _rules(language).get("make", ()):
                woman, man = rule.replace(".", "").split(" ")
                made = word.removesuffix(man) + woman
                if word.endswith(man) and len(word) > len(man) + 1:
                    if made not in lemmas:
                        lemmas[made] = _Lemma(made, "f", True)
                        found[word] = made
                    break
    return found


def _unaccented(word: str, language: str) -> str:
    """Greek moves the accent from a word for a man to the one for a woman."""
    if language != "el":
        return word
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if letter != "\u0301")


def _noun(lemma: _Lemma, other: _Lemma | None, language: str) -> Iterator[Entry]:
    """The forms of a noun, with the counterparts of its nominatives."""
    person = "+" if lemma.person or (other and other.person) else "-"
    fixed = "!" if person == "+" and lemma.gender == "n" else "."
    facing = _inflected(other, language) if other else []
    before = ""
    for number, form in _inflected(lemma, language):
        first, before = number != before, number
        counterpart = next((each for count, each in facing if count == number), "") if first else ""
        yield Entry(form, "N", lemma.gender, number, person, fixed, "n" if first else ".", counterpart)


def _inflected(lemma: _Lemma, language: str) -> list[tuple[str, str]]:
    """The forms of a noun with their numbers, nominatives first."""
    kinds = _rules(language).get("nouns", {}).get(lemma.gender, {}) if lemma.person else {}
    ending = max((each for each in kinds if lemma.word.endswith(each)), key=len, default=None)
    if ending is None:
        return [("s", lemma.word)]
    stem = lemma.word.removesuffix(ending)
    found = []
    for number, endings in zip("sp", kinds[ending].split("|"), strict=True):
        found.extend((number, stem + each.replace(".", "")) for each in endings.split())
    return found


def _adjective(word: str, language: str) -> Iterator[Entry]:
    kinds = _rules(language).get("adjectives", {})
    if language in _CONSONANT_ADJECTIVES and re.search("[aeoаео]$", word):
        return  # a feminine or neuter form that the dictionary gives as its base
    ending = max((each for each in kinds if word.endswith(each)), key=len, default=None)
    if ending is None:
        return
    stem = word.removesuffix(ending)
    parts = [part.split() for part in kinds[ending].split("|")]
    if all(part == ["."] for part in parts):  # one form for all
        yield Entry(word, "A", "c", "-")
        return
    for gender, endings in zip("mfnc", parts, strict=True):
        for place, each in enumerate(endings):
            if each != "." or gender == "m":
                form = stem + each.replace(".", "")
                yield Entry(form, "A", gender, "p" if gender == "c" else "s", case="." if place else "n")


def _unimorph(root: Path, language: str) -> Iterator[Entry]:
    """Adjectives, participles and verbs of UniMorph that show a gender."""
    path = root / "unimorph" / f"{language}.tsv"
    for line in path.read_text().splitlines() if path.exists() else ():
        fields = line.split("\t")
        if len(fields) != 3:
            continue
        tags = set(fields[2].split(";"))
        gender = "f" if "FEM" in tags else "m" if "MASC" in tags else "n" if "NEUT" in tags else ""
        number = "p" if "PL" in tags else "s" if "SG" in tags else "-"
        if "DU" in tags:
            continue
        pos = {"ADJ": "A", "V": "V", "V.PTCP": "P", "V.PCTP": "P"}.get(fields[2].split(";")[0])
        if pos is None or fields[1] in ("-", ""):
            continue
        words = plain(fields[1].lower(), language).split()
        if len(words) == 1 and gender:
            yield Entry(words[0], pos, gender, number, case="n" if "NOM" in tags else ".")
        elif len(words) == 1 and pos == "V":
            yield Entry(words[0], "X")
        elif language == "hi" and gender:
            for word in words:
                if re.search("[ाेी]$", word) and len(word) > 2:
                    own = "f" if word.endswith(("ी", "ीं")) else "m"
                    yield Entry(word, "V", own, "p" if word.endswith("े") else number)
