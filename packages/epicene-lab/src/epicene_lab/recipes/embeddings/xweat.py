"""Writes the word lists of XWEAT (Lauscher and Glavaš 2019).

Run python -m epicene_lab.recipes.embeddings.xweat REPOSITORY OUT.tsv.

REPOSITORY is a git directory of anlausch/XWEAT. The English words of WEAT 1, 2, 7, 8 and 9 are replaced by what its
translators wrote, the feminine form after the masculine one where there are two, as the authors' script does.
"""

from __future__ import annotations

import ast
import csv
import subprocess
import sys
from pathlib import Path

from epicene.embeddings.wordlists import LISTS, shipped

LANGUAGES = ("de", "es", "hr", "it", "ru", "tr")
TESTS = ("weat1", "weat2", "weat7", "weat8", "weat9")
HEADER = """\
# WEAT 1, 2, 7, 8 and 9 in six languages, as XWEAT's translators wrote them; feminine forms follow masculine ones.
test\tlanguage\tlist\tname\twords
"""


def show(repository: str, path: str) -> str:
    """The text of a file of the repository."""
    command = ["git", "-C", repository, "show", f"HEAD:{path}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def english_lists(repository: str) -> dict[str, list[list[str]]]:
    """The authors' English lists of each test: X, Y, A and B."""
    functions = [
        node for node in ast.walk(ast.parse(show(repository, "xweat.py"))) if isinstance(node, ast.FunctionDef)
    ]
    return {
        function.name.replace("_", ""): [ast.literal_eval(line.value) for line in function.body[-5:-1]]  # type: ignore[attr-defined]
        for function in functions
        if function.name.replace("_", "") in TESTS
    }


def translations(repository: str, language: str) -> dict[str, list[str]]:
    """Each English word's translations, the masculine form first; names, in capitals, are not translated."""
    by_word: dict[str, list[str]] = {}
    for row in csv.reader(show(repository, f"data/vocab_en_{language}.csv").splitlines()):
        english, first, *corrections = (cell.strip() for cell in row)
        if english and not english[0].isupper():
            # The Russian file has a column more: both forms, corrected, after the first translation.
            forms = corrections if len(corrections) > 1 and corrections[1] else [first, *corrections]
            by_word[english] = [form for form in forms if form]
    return by_word


def main(repository: str, output: str) -> None:
    """Write a row a test and list: test, language, list, name, words."""
    lines = []
    for language in LANGUAGES:
        known = translations(repository, language)
        for test, lists in english_lists(repository).items():
            for letter, words in zip(LISTS, lists, strict=True):
                translated = dict.fromkeys(form for word in words for form in known.get(word.lower(), [word]))
                name = shipped()[test].lists[letter].name
                lines.append(f"x{test}-{language}\t{language}\t{letter}\t{name}\t{', '.join(translated)}\n")
    Path(output).write_text(HEADER + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
