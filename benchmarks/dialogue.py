"""All systems of WMT24 on the dialogues, in every language that is there."""

from __future__ import annotations

import os
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import epicene
from epicene import published
from epicene.files import unpack

_COLUMNS = ("all", "feminine", "masculine", "speaker", "listener", "named", "man or woman", "pronoun")


def main(languages: Sequence[str] = ()) -> None:
    """Print accuracy by group, and how often somebody whose gender is not told becomes a man."""
    data = Path(os.environ["EPICENE_TEST_DATA"]) / "wmt24-dialogue.tar.gz"
    published.add("dialogue", data)
    print("\t".join(("langs", "system", *_COLUMNS, "men where not told", "not shown")))
    with TemporaryDirectory() as folder, tarfile.open(data) as archive:
        unpack(archive, Path(folder))
        for path in sorted(Path(folder).rglob("en-*/*.txt")):
            langs = path.parent.name
            if path.stem == "source" or (languages and langs not in languages):
                continue
            result = epicene.score("dialogue", langs, path, anyway=True)
            cells = [f"{result['accuracy', group].value or 0:.1f}" for group in _COLUMNS]
            men = f"{result['masculine', 'not told: all'].value or 0:.1f}"
            print("\t".join((langs, path.stem, *cells, men, str(result["accuracy", "all"].apart))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
