"""What a gate says of real outputs: quality on MT-GenEval, and who is written as a woman on GEST.

``python -m benchmarks.gates``: Google's Spanish of MT-GenEval against a copy from which every 25th word was struck, and
NLLB's Czech of GEST against DeepL's.
"""

from __future__ import annotations

import csv
import io
import os
import tarfile
import tempfile
from pathlib import Path

from epicene import gate, published
from epicene.files import unpack
from epicene.flow import plan
from epicene.output.terminal.tables import judgement_line
from epicene.types import Pair

EVERY = 25  # words, of which the last is struck
GOOGLE = "google/mt_geneval_sentences_en_es.csv"


def quality(folder: Path, place: Path) -> None:
    """A translator that loses words and hardly any gender."""
    archive = folder / "mt-geneval.tar.gz"
    published.add("mt-geneval", archive)
    with tarfile.open(archive) as packed:
        member = next(each for each in packed.getmembers() if each.name.endswith(GOOGLE))
        stream = packed.extractfile(member)
        text = stream.read().decode() if stream else ""
    said: dict[str, str] = {}
    for row in csv.DictReader(io.StringIO(text)):
        for side in ("feminine", "masculine"):
            said[row[f"source_{side}"].strip()] = " ".join(row[f"translate_{side}"].split())
    items = plan.open_set("mt-geneval").items(Pair("en", "es"))
    lines = [said[item.source.strip()] for item in items]
    words = 0
    poorer = []
    for line in lines:
        kept = []
        for word in line.split():
            words += 1
            if words % EVERY:
                kept.append(word)
        poorer.append(" ".join(kept))
    before, after = place / "google.es", place / "struck.es"
    for path, texts in ((before, lines), (after, poorer)):
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    show(gate(before, after, 2, "mt-geneval", "en-es", max_quality_drop=1))


def women(folder: Path, place: Path) -> None:
    """Two translators on sentences that leave the speaker's gender open."""
    published.add("gest", folder / "gest" / "gest.tar.gz")
    with tarfile.open(folder / "gest" / "gest.tar.gz") as packed:
        unpack(packed, Path(place))
    before, after = (place / "translations" / name / "cs" / "translations.csv" for name in ("deepl", "nllb_3b"))
    show(gate(before, after, 2, "gest", "en-cs", max_gap=25))


def show(found: object) -> None:
    """The judgements, and what changed."""
    for each in found if isinstance(found, list) else ():
        print(each.comparison.signature)
        for change in each.comparison.changes:
            print(f"  {change.group}: {change.before:.1f} → {change.after:.1f} ({change.measure}, n = {change.n})")
        for judgement in each.judgements:
            print(f"  {judgement_line(judgement, 24)}")


def main() -> None:
    """Print both."""
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    with tempfile.TemporaryDirectory() as place:
        quality(folder, Path(place))
        women(folder, Path(place))


if __name__ == "__main__":
    main()
