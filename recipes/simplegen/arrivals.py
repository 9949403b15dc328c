"""What a machine with a GPU sent back: decoded pieces become measured points, 8-bit weights become model folders."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.lab import arrays, corpus, pieces, points, speed, store
from epicene.lab.points import MODES, Key, Point
from epicene.lab.prepare import PIECES
from epicene.lab.quality import quality
from epicene.lab.recipe import Shape
from epicene.languages.codes import iso3
from recipes.simplegen.fleet import OUTPUTS

Files = dict[str, bytes]


def measure(folders: Sequence[Path], data: Path, tests: Path, results: Path) -> Iterator[Point]:
    """Quality of all models in ``outputs.tar`` of the folders, less what the results file holds already."""
    known = {point.key for point in points.read([results]) if point.quality} if results.is_file() else set()
    for name, files in _outputs(folders).items():
        language, seed = _named(name)
        shape = _shape(name, files)
        keys = {mode: Key(f"en-{language}", shape.name, seed, *mode) for mode in MODES}
        if known.issuperset(keys.values()):
            continue
        said = arrays.load_bytes(files[OUTPUTS], f"{name}/{OUTPUTS}")
        tool = pieces.processor(data / language / PIECES)
        test = corpus.test_pairs(tests / f"tatoeba_merged_test.eng-{iso3(language)}.tsv.gz")
        _same_sources(data / language, tool, [pair[0] for pair in test])
        for mode, key in keys.items():
            if key not in known:
                point = _point(key, said, tool, mode, [pair[1] for pair in test])
                points.append(results, point)
                yield point


def unpack(folders: Sequence[Path], data: Path, to: Path) -> list[Path]:
    """Write a model folder for each model whose weights arrived."""
    outputs = _outputs(folders)
    found = []
    for folder in folders:
        blocks = sorted(folder.glob("weights.tar.*"), key=lambda path: int(path.suffix[1:]))
        for name, files in _tar(io.BytesIO(b"".join(path.read_bytes() for path in blocks)), folder) if blocks else ():
            if name not in outputs:
                raise InputError(f"{folder}: weights of {name}, but no outputs.tar says what it is")
            language, _ = _named(name)
            if not (data / language / PIECES).is_file():
                raise InputError(f"{data} holds no {language}/{PIECES}, which {name} was trained with; give its --data")
            place = to / name
            place.mkdir(parents=True, exist_ok=True)
            (place / store.WEIGHTS).write_bytes(files[store.WEIGHTS])
            shutil.copyfile(data / language / PIECES, place / store.PIECES)
            record: dict[str, Any] = json.loads(outputs[name][store.MODEL])
            pair = {} if language == "all" else {"pair": f"en-{language}"}
            store.describe(place, Shape(**record.pop("shape")), {**record, **pair})
            found.append(place)
    return found


def _point(key: Key, said: Mapping[str, Any], tool: Any, mode: tuple[str, int], references: Sequence[str]) -> Point:
    tested, people = (_lines(said, f"{name}.{mode[0]}.{mode[1]}", tool) for name in ("test", "simplegen"))
    return Point(key, quality(tested, references, people, key.langs), None, "", speed.today())


def _lines(said: Mapping[str, Any], name: str, tool: Any) -> list[str]:
    import numpy as np

    if name not in said:
        raise InputError(f"the outputs hold no {name}; they have: {', '.join(sorted(said))}")
    ends = np.cumsum(said[f"{name}.lengths"].astype(np.int64))[:-1]
    return [tool.decode(each.tolist()) for each in np.split(said[name].astype(np.int64), ends)]


def _same_sources(folder: Path, tool: Any, lines: Sequence[str]) -> None:
    """What was decoded must be what the references translate."""
    import numpy as np

    expected = pieces.ragged(pieces.encode(tool, lines))
    if not np.array_equal(arrays.load(folder / "quality.npz")["test"], expected.pieces):
        raise InputError(f"{folder / 'quality.npz'} was made from another test file; run prepare it again")


def _outputs(folders: Sequence[Path]) -> dict[str, Files]:
    """The small files of each model by its name; where a model came twice, the later one."""
    found: dict[str, Files] = {}
    for folder in folders:
        path = folder / "outputs.tar"
        if path.is_file():
            found |= dict(_tar(io.BytesIO(path.read_bytes()), path))
    if not found:
        raise InputError(f"no outputs.tar in {', '.join(map(str, folders))}")
    return found


def _tar(stream: io.BytesIO, where: Path) -> Iterator[tuple[str, Files]]:
    """Files by model; members are read, never unpacked, so that no name of theirs becomes a path."""
    found: dict[str, Files] = {}
    try:
        with tarfile.open(fileobj=stream) as tar:
            for member in tar:
                model, _, name = member.name.partition("/")
                content = tar.extractfile(member)
                if content is not None:
                    found.setdefault(model, {})[name] = content.read()
    except tarfile.TarError as error:
        raise InputError(f"{where}: broken archive: {error}") from None
    for model in found:
        _named(model)
    yield from found.items()


def _named(name: str) -> tuple[str, int]:
    """Language and seed of a model named RECIPE.SHAPE.LANGUAGE.SEED."""
    parts = name.split(".")
    if len(parts) != 4 or not parts[3].isdecimal() or not name.replace(".", "").replace("-", "").isalnum():
        raise InputError(f"model {name!r} is not named as they are prepared: RECIPE.SHAPE.LANGUAGE.SEED")
    return parts[2], int(parts[3])


def _shape(name: str, files: Files) -> Shape:
    try:
        return Shape(**json.loads(files[store.MODEL])["shape"])
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"outputs of {name}: {store.MODEL}: {error!r}") from None
