"""The programs that speak, as a folder that works alone on another machine: each with its libraries and its data.

They are started by the loader that lies beside them, so that another machine's C library does not matter.
"""

from __future__ import annotations

import io
import lzma
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

from epicene.errors import InputError, SystemFailure
from epicene.files import unpack

PACKED = "programs.tar.xz"
_NAMES = ("flite", "espeak-ng")
_LOADER = "ld-linux-x86-64.so.2"
_LIBRARY = re.compile(r"(?:\S+ => )?(/\S+) \(0x[0-9a-f]+\)")
_DATA = re.compile(r"Data at: (.+)")
# Of espeak-ng's data, what English needs.
_ENGLISH = ("phondata", "phonindex", "phontab", "intonations", "en_dict", "lang/gmw/en*", "voices/!v/*")
_SECONDS = 60


def pack(path: Path, say: Callable[[str], None], preset: int = 6) -> None:
    """Write the installed programs as one archive, packed the smaller the higher the preset."""
    members: dict[str, Path] = {}
    for name in _NAMES:
        program = shutil.which(name)
        if program is None:
            raise InputError(f"the program {name} is not installed; run: apt-get install {name}")
        members[f"bin/{name}"] = Path(program)
        members |= {f"lib/{Path(found).name}": Path(found) for found in _LIBRARY.findall(_answer("ldd", program))}
    found = _DATA.search(_answer("espeak-ng", "--version"))
    data = Path(found[1].strip()) if found else Path()
    for pattern in _ENGLISH:
        each = [path for path in sorted(data.glob(pattern)) if path.is_file()]
        if not each:
            raise InputError(f"espeak-ng's data in {data} hold no {pattern}; reinstall espeak-ng-data")
        members |= {f"espeak-ng-data/{file.relative_to(data)}": file for file in each}
    if f"lib/{_LOADER}" not in members:
        raise InputError(f"ldd named no {_LOADER}; the programs can be packed on Linux on x86-64 only")
    content = _archive(members, preset)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content)
    part.replace(path)
    whole = sum(file.stat().st_size for file in members.values())
    say(f"{path}: {len(members)} files, {whole / 1e6:.1f} MB, packed {len(content) / 1e6:.1f} MB")


def unpack_programs(path: Path) -> Path:
    """The folder of an archive, unpacked beside it once; a folder is one already."""
    if path.is_dir():
        return path
    folder = path.with_name(path.name.removesuffix(".tar.xz"))
    if folder.is_dir():
        return folder
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        with tarfile.open(path, "r:xz") as archive:
            unpack(archive, part)
    except (OSError, tarfile.TarError, lzma.LZMAError, EOFError) as error:
        raise InputError(f"cannot unpack {path}: {error}; make it with: epicene lab speech programs") from None
    part.rename(folder)
    return folder


def find_command(folder: Path | None, name: str) -> tuple[list[str], dict[str, str] | None]:
    """How a program is started, and in which environment; without a folder, the one that is installed."""
    if folder is None:
        return [shutil.which(name) or name], None
    loader = folder.absolute() / "lib" / _LOADER
    words = [str(loader), "--library-path", str(loader.parent), str(folder.absolute() / "bin" / name)]
    return words, {"ESPEAK_DATA_PATH": str(folder.absolute())}


def _archive(members: dict[str, Path], preset: int) -> bytes:
    """The same bytes whenever the same files are packed."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, path in sorted(members.items()):
            content = path.read_bytes()
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            entry.mode = 0o644 if name.startswith("espeak-ng-data/") else 0o755
            archive.addfile(entry, io.BytesIO(content))
    return lzma.compress(buffer.getvalue(), preset=preset)


def _answer(*words: str) -> str:
    try:
        done = subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SystemFailure(f"cannot run {' '.join(words)}: {error}") from None
    return done.stdout.decode("utf-8", "replace")
