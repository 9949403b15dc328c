"""Finished parts of work on many machines, kept until the whole is done.

A shard is named by a checksum of what it was made from, so a run that is started again finds what it had done, and
nothing that was made from something else.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from epicene.files import full_disk, home, written
from epicene.store.codec import output_of, output_record
from epicene.types import Output


class Shards:
    """A folder of shards; each appears only once it is whole."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or home() / "shards"

    def name(self, *made_from: str) -> str:
        """The name of the shard that is made from these."""
        digest = hashlib.sha256()
        for part in made_from:
            digest.update(hashlib.sha256(part.encode()).digest())
        return digest.hexdigest()[:32]

    def read(self, name: str) -> list[Any] | None:
        """What a shard holds; None if it was never finished."""
        try:
            lines = self._path(name).read_text(encoding="utf-8").splitlines()
            return [json.loads(line) for line in lines]
        except (OSError, ValueError):
            return None

    def write(self, name: str, lines: Iterable[str]) -> None:
        """Keep a shard of JSON lines."""
        with written(self._path(name)) as stream:
            stream.writelines(line + "\n" for line in lines)

    @contextmanager
    def waiting(self, lines: Iterable[str]) -> Iterator[tuple[Path, int]]:
        """Lines in a file, and how many; they wait there for as long as it takes to work on them."""
        with ExitStack() as stack:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                stream = stack.enter_context(tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=self.folder))
                count = sum(1 for line in lines if stream.write(f"{line}\n"))
                stream.flush()
            except OSError as error:
                raise full_disk(error, self.folder) from None
            yield Path(stream.name), count

    def discard(self, names: Iterable[str]) -> None:
        """Remove shards whose whole is done."""
        for name in names:
            self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.jsonl"


def packed(outputs: Iterable[Output]) -> str:
    """Outputs as text that another machine can unpack."""
    return json.dumps([output_record(output) for output in outputs], ensure_ascii=False)


def unpacked(text: str) -> list[Output]:
    """Outputs as they were packed."""
    return [output_of(record) for record in json.loads(text)]
