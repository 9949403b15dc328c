"""Word vectors from plain text: word2vec and fastText by gensim (extra ``vectors``), or counts of neighbours by scipy.

One worker and a seed make the same vectors from the same text, on one machine and one version of the library.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from epicene.embeddings.wordlists import read_words
from epicene.errors import EvidenceError, InputError, MissingExtraError
from epicene.files import read_lines
from epicene.options import Flag

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]


VOCABULARY = 50_000  # the most frequent words; the table of counts grows with them
_LINES = 20_000  # lines that are counted at once


def count_vectors(
    path: Path, dim: int, window: int, min_count: int, seed: int
) -> tuple[list[str], npt.NDArray[np.float32]]:
    """Words, the most frequent first, and vectors, from a file of words parted by blanks."""
    import numpy as np
    from scipy.sparse.linalg import svds

    with path.open(encoding="utf-8") as stream:
        counts = Counter(word for line in stream for word in line.split())
    words = [word for word, count in counts.most_common(VOCABULARY) if count >= min_count]
    if len(words) <= dim:
        raise EvidenceError(f"{len(words)} words stand {min_count} times in the text; {dim} numbers need more of them")
    table = _count(path, {word: place for place, word in enumerate(words)}, window)
    start = np.random.default_rng(seed).normal(size=len(words))
    left, values, _ = svds(_informative(table), k=dim, v0=start)
    # Halving the spectrum gives vectors that are better for similarity than the whole of it (Levy et al. 2015).
    return words, (left[:, ::-1] * np.sqrt(values[::-1])).astype(np.float32)


def _count(path: Path, places: dict[str, int], window: int) -> Any:
    """How often words stand near each other, a neighbour at distance k as 1/k, as GloVe counts."""
    import numpy as np
    from scipy.sparse import csr_array

    size = len(places)
    total = csr_array((size, size), dtype=np.float32)
    for lines in _blocks(path):
        # A place of -1 parts lines, and stands for rare words, which keep their distance.
        text = np.array([places.get(word, -1) for line in lines for word in [*line.split(), *[""] * window]])
        for distance in range(1, window + 1):
            first, second = text[:-distance], text[distance:]
            both = (first >= 0) & (second >= 0)
            weight = np.full(int(both.sum()), 1 / distance, dtype=np.float32)
            total = total + csr_array((weight, (first[both], second[both])), shape=(size, size))
    return total + total.T


def _blocks(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8") as stream:
        while lines := list(islice(stream, _LINES)):
            yield lines


def _informative(counts: Any) -> Any:
    """Positive pointwise mutual information; contexts smoothed by a power of 0.75, as word2vec draws them."""
    import numpy as np

    table = counts.tocoo()
    rows = counts.sum(axis=1)
    columns = rows**0.75
    information = np.log(table.data * columns.sum() / (rows[table.row] * columns[table.col]))
    table.data = np.maximum(information, 0)
    return table.tocsr()


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

    kind: Annotated[Kind, Flag("What is trained; counts: as GloVe counts, by SVD.")] = Kind.WORD2VEC
    skipgram: Annotated[bool, Flag("Predict neighbours, or from them.", names=("--skipgram/--cbow",))] = False
    dim: Annotated[int, Flag("Numbers of a vector.", least=1)] = 200
    window: Annotated[int, Flag("Neighbours on either side.", least=1)] = 5
    epochs: Annotated[int, Flag("Times over the text.", least=1)] = 5
    min_count: Annotated[int, Flag("How often a word must stand there.", least=1, names=("--min",))] = 5
    lower: Annotated[bool, Flag("Take all words in lower case.")] = False
    seed: Annotated[int, Flag("All that is random follows from it.", least=0)] = 1

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
            words, vectors = count_vectors(path, training.dim, training.window, training.min_count, training.seed)
        else:
            words, vectors = _predict(path, training)
    return Trained(words, vectors, tokens)


def read_tokens(line: str, lower: bool = False) -> list[str]:
    """The words of a line, as vectors are trained on them."""
    return _WORD.findall(line.lower() if lower else line)


def _tokenise(texts: Iterable[str | Path], lower: bool, path: Path) -> int:
    total = 0
    with path.open("w", encoding="utf-8") as stream:
        for line in _lines(texts):
            words = read_tokens(line, lower)
            if words:
                total += len(words)
                stream.write(" ".join(words) + "\n")
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


def _predict(path: Path, training: Training) -> tuple[list[str], Matrix]:
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

    wanted = frozenset(word_of_list.word for word_of_list in read_words(words)) if words else None
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
