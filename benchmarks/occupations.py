"""The occupation study: 1,000 occupations in 15 lists and 5 wordings, read, measured and compared with a reference.

The lists are the fourteen languages of Prates et al. and the Hungarian occupations by FEOR-08. The time is given beside
that of a plain look for the words he and she in the same lines, which measures nothing.
"""

from __future__ import annotations

import time
from itertools import cycle, islice

from epicene.flow import plan
from epicene.flow.score import score
from epicene.labour import crosswalk
from epicene.sets.occupations import ADJECTIVES, occupations, sector_of
from epicene.tables import table
from epicene.types import Item, Output, Pair, Person

OCCUPATIONS = 1000
REFERENCE = "us-acs-2018"
_PRONOUNS = ("He", "She", "He", "They", "He")


def labels() -> list[list[dict[str, str]]]:
    """Fifteen lists of 1,000 occupations, with their codes."""
    languages = [
        name for name in table("sets/occupations/tables", "titles.tsv")[0] if name not in ("english", "soc_major")
    ]
    found = [
        [_title(row, language) for row in table("sets/occupations/tables", "titles.tsv")] for language in languages
    ]
    found.append(
        [
            {"occupation": each.word, "english": each.english, "sector": each.sector, "feor08": each.feor08}
            | {"isco08": " ".join(each.isco08), "soc": " ".join(each.soc), "link": each.rule}
            for each in occupations("hu")
        ]
    )
    return [each[:OCCUPATIONS] for each in found]


def _title(row: dict[str, str], language: str) -> dict[str, str]:
    link = crosswalk.of_title(row["english"], row["soc_major"])
    # The number keeps words apart that translate several titles.
    word = f"{row[language]} {row['english']}"
    codes = {"feor08": "", "isco08": "", "soc": " ".join(link.codes), "link": link.rule}
    return {"occupation": word, "english": row["english"], "sector": sector_of("soc", link.codes[0]), **codes}


def outputs(rows: list[dict[str, str]]) -> list[Output]:
    """A translation of every occupation in every wording."""
    found = []
    wordings = ("plain", *ADJECTIVES)
    pronouns = islice(cycle(_PRONOUNS), len(rows) * len(wordings))
    for variant in wordings:
        for row in rows:
            focus = Person(row["occupation"], 0, row["english"])
            item = Item(f"{row['occupation']}/{variant}", row["occupation"], focus, None, {**row, "variant": variant})
            found.append(Output(item, "benchmark", "en", f"{next(pronouns)} is a {row['english'].lower()}."))
    return found


def main() -> None:
    """Print the time of the whole study and of a plain look at the same lines."""
    challenge = plan.open_set("occupations:adjectives")
    lists = [outputs(rows) for rows in labels()]
    start, used = time.perf_counter(), time.process_time()
    for each in lists:
        score(plan.open_task(challenge, Pair("hu", "en"), references=[REFERENCE]), each, "benchmark")
    whole, used = time.perf_counter() - start, time.process_time() - used
    start = time.perf_counter()
    for each in lists:
        sum(not {"he", "she"}.isdisjoint(output.text.lower().split()) for output in each)
    plain = time.perf_counter() - start
    sentences = sum(map(len, lists))
    print(f"{len(lists)} lists, {sentences} sentences: {whole:.2f} s ({used:.2f} s of processor time)")
    print(f"a plain look for he and she: {plain:.2f} s, ratio {whole / plain:.0f}")


if __name__ == "__main__":
    main()
