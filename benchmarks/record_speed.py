"""How long a record of many systems takes, beside scoring their files one by one.

Files of as many systems as asked for are made from the published outputs on WinoST: each takes its lines from two of
the seventeen systems in turn. Times are of the processor, so that a busy machine changes little.

    python -m benchmarks.record_speed [SYSTEMS] [LANGUAGES]
"""

from __future__ import annotations

import os
import sys
import tarfile
from itertools import combinations, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from epicene import api
from epicene import published as store
from epicene.compare.sources import collect
from epicene.compare.table import matrices
from epicene.files import unpack
from epicene.record import build as record

ARCHIVE = "hearing2translate.tar.gz"
PAIRS = ("en-de", "en-es", "en-fr", "en-it", "en-pt")


def made(archive: Path, folder: Path, systems: int, pairs: tuple[str, ...]) -> Path:
    """A folder SYSTEM/PAIR.txt of so many systems."""
    with tarfile.open(archive) as packed:
        unpack(packed, folder / "published")
    sources = sorted(
        each
        for each in (folder / "published").iterdir()
        if not each.name.endswith("_asr") and (each / "en-de.txt").is_file()
    )
    out = folder / "out"
    for number, (one, other) in enumerate(islice(combinations(sources, 2), systems)):
        for pair in pairs:
            both = [(each / f"{pair}.txt").read_text(encoding="utf-8").splitlines() for each in (one, other)]
            path = out / f"system{number}" / f"{pair}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{both[line % 2][line]}\n" for line in range(len(both[0]))), encoding="utf-8")
    return out


def main(systems: int = 40, languages: int = 5) -> None:
    """Print both times and their ratio."""
    data = Path(os.environ["EPICENE_TEST_DATA"])
    pairs = PAIRS[:languages]
    with TemporaryDirectory() as place:
        os.environ["EPICENE_HOME"] = f"{place}/home"
        store.add("winomt", data / "winomt")
        out = made(data / ARCHIVE, Path(place), systems, pairs)
        api.score_file("winomt", pairs[0], out / "system0" / f"{pairs[0]}.txt")  # imports are no part of it
        begun = process_time()
        for number in range(systems):
            for pair in pairs:
                api.score_file("winomt", pair, out / f"system{number}" / f"{pair}.txt")
        alone = process_time() - begun
        begun = process_time()
        found = record.build([f"{out}/{{system}}/{{pair}}.txt"], ["winomt"])
        together = process_time() - begun
        assert not found.problems
        readings = collect([f"{out}/system0"], ["winomt"], [pairs[0]]).readings
        begun = process_time()
        matrices(readings * 40)
        beside = process_time() - begun
    print(f"{systems} systems x {languages} languages x 3,888 sentences, seconds of the processor")
    print(f"one by one     {alone:7.1f}")
    print(f"record         {together:7.1f}   {together / alone:.2f} times")
    print(f"40 systems beside each other in one language, all pairs: {beside:.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
