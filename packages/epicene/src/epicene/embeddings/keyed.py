"""gensim's ``.kv``: what ``KeyedVectors.save`` writes, read without gensim and without running anything of it.

The file is a pickle. Of what a pickle can ask for, this reader knows arrays, numbers, texts and their collections;
everything else in it becomes an empty shell, and nothing else that a file names is ever called.
"""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.embeddings.source import Row
from epicene.errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

SUFFIXES = (".kv", ".wordvectors")
_ARRAYS = ("numpy.core.multiarray", "numpy._core.multiarray", "numpy.core.numeric", "numpy._core.numeric", "numpy")
_NAMES = ("_reconstruct", "_frombuffer", "scalar", "ndarray", "dtype")
_HOW = "write the vectors as text: vectors.save_word2vec_format('vectors.vec')"


class _Shell:
    """Stands for any class that a file names: it keeps the state and does nothing."""

    def __init__(self, *_: object, **__: object) -> None:
        self.state: dict[str, Any] = {}

    def __setstate__(self, state: object) -> None:
        self.state = dict(state) if isinstance(state, dict) else {}


def _bytes(text: str, _: str) -> bytes:
    """Bytes as older pickles write them: each a character of Latin-1."""
    return text.encode("latin1")


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("_codecs", "encode"):
            return _bytes
        if module in _ARRAYS and name in _NAMES:
            return super().find_class(module, name)
        return {"OrderedDict": dict, "defaultdict": dict}.get(name, _Shell) if module == "collections" else _Shell


def rows(path: Path, wanted: Collection[str]) -> Iterator[Row]:
    """The rows of the wanted words; large arrays lie in files beside this one and are looked into, not loaded."""
    import numpy as np

    state = _state(path)
    words = state.get("index_to_key", state.get("index2word"))
    vectors: Any = state.get("vectors")
    if vectors is None:
        vectors = _beside(path)
    if not isinstance(words, list) or getattr(vectors, "ndim", 0) != 2:
        raise InputError(f"{path}: no words with vectors of gensim's in it; {_HOW}")
    if len(words) != len(vectors):
        raise InputError(f"{path}: {len(words)} words for {len(vectors)} rows; expected as many; {_HOW}")
    known = frozenset(wanted)
    for number, word in enumerate(words):
        if word in known:
            yield Row(word, f"{path}: row {number + 1}", np.asarray(vectors[number], dtype=np.float64))


def _state(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as stream:
            found = _Reader(stream).load()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except Exception as error:  # noqa: BLE001  whatever a broken pickle raises
        raise InputError(f"{path}: gensim's file cannot be read ({error}); fetch it again, or {_HOW}") from None
    # A whole model keeps its vectors in wv.
    state = found.state if isinstance(found, _Shell) else {}
    inner = state.get("wv")
    return inner.state if isinstance(inner, _Shell) else state


def _beside(path: Path) -> npt.NDArray[Any]:
    import numpy as np

    for name in (f"{path.name}.vectors.npy", f"{path.name}.wv.vectors.npy"):
        if path.with_name(name).is_file():
            try:
                found: npt.NDArray[Any] = np.load(path.with_name(name), mmap_mode="r", allow_pickle=False)
            except (OSError, ValueError, EOFError) as error:
                raise InputError(f"{path.with_name(name)}: cannot read the array: {error}") from None
            return found
    raise InputError(f"{path}: its vectors lie in {path.name}.vectors.npy, which is not beside it; bring both")
