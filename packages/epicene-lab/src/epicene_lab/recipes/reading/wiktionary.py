"""Writes English Wiktionary's translations as a table: python wiktionary.py DICTIONARY.dsl.dz OUTPUT.tsv.

DICTIONARY is one of open-dsl-dict/wiktionary-dict's ``en-XX-enwiktionary.dsl.dz``. Columns: English word or phrase,
part of speech, translation, gender (m, f, mf, n or nothing), remark (male, female …).
"""

from __future__ import annotations

import gzip
import re
import sys
from collections.abc import Iterator
from pathlib import Path

_SPEECH = re.compile(r"\[p\]<([\w ]+)>\[/p\]")
_SEE = re.compile(r"SEE: <<(.+?)>>")
_BRACKETS = re.compile(r"\\\[(.*?)\\\]")
_GRAY = re.compile(r"\[c gray\].*?\[/c\]|\s/[^/]*/")
_MARK = re.compile(r"\[/?\w+[^\]]*\]")
_ROUND = re.compile(r"\([^)]*\)|\{[^}]*\}")
_LONGEST = 4  # words of an English entry
_GENDERS = {"m", "f", "n", "c"}


def entries(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """English word, part of speech and translation lines of each entry."""
    for block in text.split("\n\n"):
        lines = [line for line in block.strip("\n").split("\n") if not line.startswith("#")]
        if len(lines) < 2 or lines[0].startswith("\t"):
            continue
        speech = _SPEECH.search(lines[1])
        yield lines[0].strip(), speech[1] if speech else "", [line.strip() for line in lines[2:]]


def translations(line: str) -> Iterator[tuple[str, str, str]]:
    """Translation, gender and remark of each word of a line."""
    line = line.removeprefix("[m1]").removesuffix("[/m]")
    for part in re.split(r"[,;] (?![^\\]*\\\])", line):
        remark = " ".join(_BRACKETS.findall(part))
        genders = {gender for found in _SPEECH.findall(part) for gender in found.split() if gender in _GENDERS}
        word = _ROUND.sub("", _MARK.sub("", _SPEECH.sub("", _GRAY.sub("", _BRACKETS.sub("", part)))))
        word = " ".join(word.split())
        if word and not any(sign in word for sign in "<>[]{}:=|"):
            yield word, "".join(sorted(genders)), remark


def main(dictionary: str, output: str) -> None:
    """Writes the table."""
    text = gzip.decompress(Path(dictionary).read_bytes()).decode("utf-16")
    found: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    see: dict[tuple[str, str], list[str]] = {}
    for english, speech, lines in entries(text):
        key = english, speech
        for line in lines:
            if match := _SEE.search(line):
                see.setdefault(key, []).append(match[1])
            elif line.startswith("[m1]"):
                found.setdefault(key, []).extend(translations(line))
    for (english, speech), others in see.items():
        for other in others:
            found.setdefault((english, speech), []).extend(found.get((other, speech), []))
    with Path(output).open("w", encoding="utf-8") as file:
        for (english, speech), words in sorted(found.items()):
            if len(english.split()) <= _LONGEST:
                for word, gender, remark in dict.fromkeys(words):
                    file.write(f"{english}\t{speech}\t{word}\t{gender}\t{remark}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
