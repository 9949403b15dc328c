"""Arrays on disk: NumPy archives that appear only when complete, and are never unpickled."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.archives import BROKEN
from epicene.errors import InputError
from epicene.files import full_disk

if TYPE_CHECKING:
    import numpy.typing as npt

    Arrays = dict[str, npt.NDArray[Any]]

PLAIN, PACKED, SMALLEST = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA  # the last takes its time


def save(path: Path, arrays: Mapping[str, Any], how: int = PLAIN) -> None:
    """Write an archive; if that fails, what stood there before is untouched."""
    import numpy as np

    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as stream:
            with zipfile.ZipFile(stream, "w", how) as archive:
                for name, values in arrays.items():
                    with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                        np.lib.format.write_array(member, np.asanyarray(values), allow_pickle=False)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except OSError as error:
        raise full_disk(error, path) from None
    finally:
        part.unlink(missing_ok=True)


def load(path: Path) -> Arrays:
    """Read an archive."""
    return _load(path, str(path))


def load_bytes(content: bytes, where: str) -> Arrays:
    """Read an archive that lies in memory."""
    return _load(io.BytesIO(content), where)


def _load(source: Path | io.BytesIO, where: str) -> Arrays:
    import numpy as np

    try:
        with np.load(source, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (*BROKEN, ValueError) as error:
        raise InputError(f"cannot read {where}: {error}") from None
