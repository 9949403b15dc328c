"""Word vectors from plain text: word2vec and fastText by gensim (extra ``vectors``), or counts of neighbours by scipy.

One worker and a seed make the same vectors from the same text, on one machine and one version of the library.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.embeddings.wordlists import read_words
from epicene.errors import EvidenceError, InputError, MissingExtraError
from epicene.files import read_lines
from epicene_lab import neighbours

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]

# Letters and digits, hyphens within; an apostrophe parts words (l'homme, dell'arte), as the lists of WEAT have them.
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
Say = Callable[[str], None]
SUFFIXES = (".vec", ".bin", ".npz")


class Kind(StrEnum):
    """What vectors are trained as."""

    WORD2VEC = "word2vec"
    FASTTEXT = "fasttext"  # with the share of letter groups
    COUNTS = "counts"  # GloVe's weighted counts of neighbours, as PPMI, reduced by SVD


@dataclass(frozen=True, slots=True)
class Training:
    """How vectors are trained; all that changes them, given the text."""

    kind: Kind = Kind.WORD2VEC
    skipgram: bool = False
    dim: int = 200
    window: int = 5
    epochs: int = 5
    min_count: int = 5
    lower: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("dim", "window", "epochs", "min_count"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} {getattr(self, name)}: expected at least 1")

    @property
    def signature(self) -> str:
        """One line that says how the vectors came to be."""
        how = ("skip-gram" if self.skipgram else "cbow") if self.kind is not Kind.COUNTS else "ppmi-svd"
        parts = [self.kind, how, f"dim:{self.dim}", f"window:{self.window}", f"min:{self.min_count}"]
        parts += [f"epochs:{self.epochs}"] if self.kind is not Kind.COUNTS else []
        return "|".join([*parts, f"case:{'lower' if self.lower else 'kept'}", f"seed:{self.seed}"])


@dataclass(frozen=True, slots=True)
class Trained:
    """Words, the most frequent first, and their vectors."""

    words: list[str]
    vectors: Matrix
    tokens: int


def train(texts: Iterable[str | Path], training: Training, say: Say | None = None) -> Trained:
    """Vectors of the words of plain text files, one sentence or paragraph a line."""
    if training.kind is not Kind.COUNTS:
        _gensim()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokens.txt"
        tokens = _tokenise(texts, training.lower, path)
        if not tokens:
            raise EvidenceError("the text has no words; expected plain text, one sentence or paragraph a line")
        if say:
            say(f"{tokens:,} words of text")
        if training.kind is Kind.COUNTS:
            words, vectors = neighbours.vectors(path, training.dim, training.window, training.min_count, training.seed)
        else:
            words, vectors = _predicted(path, training)
    return Trained(words, vectors, tokens)


def tokens(line: str, lower: bool = False) -> list[str]:
    """The words of a line, as vectors are trained on them."""
    return _WORD.findall(line.lower() if lower else line)


def _tokenise(texts: Iterable[str | Path], lower: bool, path: Path) -> int:
    total = 0
    with path.open("w", encoding="utf-8") as stream:
        for line in _lines(texts):
            found = tokens(line, lower)
            if found:
                total += len(found)
                stream.write(" ".join(found) + "\n")
    return total


def _lines(texts: Iterable[str | Path]) -> Iterator[str]:
    for text in texts:
        yield from read_lines(text)


def _gensim() -> Any:
    try:
        import gensim
    except ImportError:
        raise MissingExtraError("training word vectors", "vectors") from None
    return gensim


def _predicted(path: Path, training: Training) -> tuple[list[str], Matrix]:
    from gensim.models import FastText, Word2Vec

    made = FastText if training.kind is Kind.FASTTEXT else Word2Vec
    try:
        model = made(
            corpus_file=str(path),
            sg=int(training.skipgram),
            vector_size=training.dim,
            window=training.window,
            epochs=training.epochs,
            min_count=training.min_count,
            seed=training.seed,
            workers=1,
        )
    except RuntimeError as error:  # gensim's word for an empty vocabulary
        raise EvidenceError(f"no word stands {training.min_count} times in the text ({error}); lower --min") from None
    return list(model.wv.index_to_key), model.wv.vectors


def check(path: Path) -> None:
    """Refuse a name that says no format, before anything is trained."""
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path}: expected a name that ends in {', '.join(SUFFIXES)}, which says how it is written")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")


def write(trained: Trained, path: Path, words: str | Path | None = None) -> int:
    """Write the vectors, or those of some words, half-written never; how many there are."""
    import numpy as np

    wanted = frozenset(each.word for each in read_words(words)) if words else None
    places = [place for place, word in enumerate(trained.words) if wanted is None or word in wanted]
    if not places:
        raise EvidenceError(f"{words}: none of its {len(wanted or ())} words stands often enough in the text")
    rows = trained.vectors[places]
    partial = path.with_name(f".{path.name}.partial")
    with partial.open("wb") as stream:
        if path.suffix == ".npz":
            listed = np.array([trained.words[place] for place in places])
            np.savez_compressed(stream, words=listed, vectors=rows)
        else:
            stream.write(f"{len(places)} {rows.shape[1]}\n".encode())
            for place, row in zip(places, rows, strict=True):
                numbers = row.astype("<f4").tobytes() if path.suffix == ".bin" else _text(row)
                stream.write(trained.words[place].encode() + b" " + numbers + b"\n")
    partial.replace(path)
    return len(places)


def _text(row: Matrix) -> bytes:
    return " ".join(f"{number:.6g}" for number in row.tolist()).encode()
