"""The check before any number on published outputs: how many are refused, and why; arguments narrow the files."""

from __future__ import annotations

import os
import sys
import tarfile
import tempfile
from pathlib import Path

import epicene
from epicene import published
from epicene.errors import EvidenceError
from epicene.files import unpack


def main() -> None:
    """Score WinoMT by systems of 2019 and by speech systems, and SimpleGEN; print what is refused."""
    folder, wanted = Path(os.environ["EPICENE_TEST_DATA"]), sys.argv[1:]
    published.add("winomt", folder / "winomt")
    with tempfile.TemporaryDirectory() as place, tarfile.open(folder / "hearing2translate.tar.gz") as archive:
        unpack(archive, Path(place))
        files = [("simplegen", path) for path in sorted((folder / "simplegen").glob("opus-mt.en-*.txt"))]
        files += [("winomt", path) for path in sorted((folder / "winomt" / "translations").glob("*.en-*.txt"))]
        files += [("winomt", path) for path in sorted(Path(place).rglob("en-*.txt")) if "_asr" not in str(path)]
        chosen = [each for each in files if not wanted or any(word in str(each[1]) for word in wanted)]
        refused = 0
        for name, path in chosen:
            langs = path.stem.rpartition(".")[2]
            try:
                epicene.score(name, langs, path)
            except EvidenceError as error:
                refused += 1
                print(f"{path.parent.name}/{path.name}: {error}")
        print(f"{len(chosen)} published files, {refused} refused")


if __name__ == "__main__":
    main()
