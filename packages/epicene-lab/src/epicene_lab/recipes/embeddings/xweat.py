"""Writes the word lists of XWEAT (Lauscher and Glavaš 2019).

Run python -m epicene_lab.recipes.embeddings.xweat REPOSITORY OUT.tsv.

REPOSITORY is a git directory of anlausch/XWEAT. The English words of WEAT 1, 2, 7, 8 and 9 are replaced by what its
translators wrote, the feminine form after the masculine one where there are two. A translation that would stand in
both of two opposed lists stays in neither.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

from epicene.embeddings.wordlists import shipped

LANGUAGES = ("de", "es", "hr", "it", "ru", "tr")
TESTS = ("weat1", "weat2", "weat7", "weat8", "weat9")


def translations(repository: str, language: str) -> dict[str, list[str]]:
    """Each English word's translations, the masculine form first."""
    name = f"HEAD:data/vocab_en_{language}.csv"
    text = subprocess.run(["git", "-C", repository, "show", name], capture_output=True, text=True, check=True).stdout
    delimiter = ";" if text.count(";") > text.count(",") else ","
    found: dict[str, list[str]] = {}
    for row in csv.reader(text.splitlines(), delimiter=delimiter):
        english, *others = (cell.strip() for cell in row)
        words = list(dict.fromkeys(word for word in others[:2] if word))
        if english and words:
            found[english.lower()] = words
    return found


def main(repository: str, output: str) -> None:
    """Write a row a test and list: test, language, list, name, words."""
    rows = ["test\tlanguage\tlist\tname\twords"]
    for language in LANGUAGES:
        known = translations(repository, language)
        for test in TESTS:
            lists = {
                letter: list(dict.fromkeys(each for word in words.words for each in known.get(word.lower(), [word])))
                for letter, words in shipped()[test].lists.items()
            }
            for first, second in (("x", "y"), ("a", "b")):
                both = {word.lower() for word in lists[first]} & {word.lower() for word in lists[second]}
                for letter in (first, second):
                    lists[letter] = [word for word in lists[letter] if word.lower() not in both]
                if both:
                    print(f"{test} {language}: {', '.join(sorted(both))} left out of {first} and {second}")
            for letter, words in lists.items():
                name = shipped()[test].lists[letter].name
                rows.append(f"x{test}-{language}\t{language}\t{letter}\t{name}\t{', '.join(words)}")
    Path(output).write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
