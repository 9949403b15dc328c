"""The text of training speech: chosen once, translated by the teacher block by block, and written as one table.

A folder holds ``chosen.tsv.xz`` and ``heldout.chosen.tsv.xz`` (what was chosen), ``taught/NNNNN.tsv`` (blocks that the
teacher has translated), and at last ``text.tsv.xz`` and ``heldout.tsv``: en, de, es, fr, it. Kill it at any time and
call it again: what is there is not made anew.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Protocol

from epicene.errors import InputError
from epicene.files import read_text, write_atomically, write_packed
from epicene.types import Pair
from epicene_lab.speech.chosen import UNTAUGHT, Row, Sources, choose
from epicene_lab.speech.recipe import LANGUAGES, TAUGHT, TextPlan

TEXT, HELD = "text.tsv.xz", "heldout.tsv"
_CHOSEN, _HELD_CHOSEN, _TAUGHT, _PLAN = "chosen.tsv.xz", "heldout.chosen.tsv.xz", "taught", "text.json"
_BLOCK = 1000  # sentences that are translated before they are written
_LOOP = 4  # the same word so often in a row is a translator that cannot stop

Say = Callable[[str], None]


class Teacher(Protocol):
    """A translator of text."""

    identity: str

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterable[str]:
        """The translation of each."""
        ...


def prepare(folder: Path, sources: Sources, plan: TextPlan, say: Say, teacher: Teacher | None = None) -> int:
    """Choose, translate and write the text of a folder; the number of training sentences."""
    _choose(folder, sources, plan, say)
    teacher = teacher or bundled_teacher(plan.beam)
    for number, done, blocks in _teach(folder, teacher):
        say(f"{folder}: {done} of {blocks} blocks translated" + ("" if number is None else f" ({number:05})"))
    return assemble(folder, say)


def bundled_teacher(beam: int) -> Teacher:
    """The bundled translator in int8, which is fast; that int8 differs from processor to processor matters not here."""
    from epicene.models import model_folder
    from epicene.registry import Options
    from epicene.systems.local.ctranslate2 import CTranslate2

    given = {"source_prefix": "<2{target}>", "compute": "int8", "device": "cpu", "beam": str(beam)}
    return CTranslate2(model_folder("bundled"), Options("ctranslate2", given))


def assemble(folder: Path, say: Say) -> int:
    """Write the table of all that is translated by now; sentences whose translation went wrong stay out."""
    rows = _read(folder / _CHOSEN)
    held = _read(folder / _HELD_CHOSEN)
    taught = _translate(folder, [*held, *rows])
    whole = [row for row in taught[len(held) :] if _sound(row)]
    if len(taught) < len(held) or not whole:
        raise InputError(f"{folder}: nothing has been translated; run the command again")
    write_packed(folder / TEXT, lzma.compress(_table(whole).encode(), preset=9))
    with write_atomically(folder / HELD) as stream:
        stream.write(_table([row for row in taught[: len(held)] if _sound(row)]))
    size = (folder / TEXT).stat().st_size
    say(f"{folder / TEXT}: {len(whole)} of {len(rows)} sentences, {size / 1e6:.1f} MB; {folder / HELD}")
    return len(whole)


def _choose(folder: Path, sources: Sources, plan: TextPlan, say: Say) -> None:
    wanted = json.loads(json.dumps(asdict(plan)))
    if (folder / _PLAN).is_file():
        before = json.loads(read_text(folder / _PLAN))
        if before != wanted:
            differing = ", ".join(sorted(name for name in wanted if before.get(name) != wanted[name]))
            raise InputError(f"{folder}: begun with another plan ({differing}); choose another folder with -o")
        return
    rows, held = choose(plan, sources, say)
    for name, chosen in ((_CHOSEN, rows), (_HELD_CHOSEN, held)):
        content = "".join("\t".join(row) + "\n" for row in chosen)
        write_packed(folder / name, lzma.compress(content.encode(), preset=6))
    with write_atomically(folder / _PLAN) as stream:  # last: its presence says that all is chosen
        json.dump(wanted, stream, indent=1)


def _read(path: Path) -> list[Row]:
    try:
        lines = lzma.decompress(path.read_bytes()).decode().splitlines()
        return [Row(*line.split("\t")) for line in lines]
    except (OSError, lzma.LZMAError, UnicodeDecodeError, TypeError) as error:
        raise InputError(f"cannot read {path}: {error}; remove the folder and choose again") from None


def _blocks(folder: Path) -> Iterator[tuple[int, list[Row]]]:
    """Held-out sentences first, so that they are there whenever anything is."""
    rows = _read(folder / _HELD_CHOSEN) + _read(folder / _CHOSEN)
    for number, start in enumerate(range(0, len(rows), _BLOCK)):
        yield number, rows[start : start + _BLOCK]


def _teach(folder: Path, teacher: Teacher) -> Iterator[tuple[int | None, int, int]]:
    blocks = list(_blocks(folder))
    for done, (number, rows) in enumerate(blocks, 1):
        path = folder / _TAUGHT / f"{number:05}.tsv"
        if path.is_file():
            continue
        asked = [row.en for row in rows if row.kind not in UNTAUGHT]
        sides = [iter([" ".join(side.split()) for side in teacher.translate(asked, Pair("en", to))]) for to in TAUGHT]
        with write_atomically(path) as stream:
            for row in rows:
                stream.write("\t".join("" if row.kind in UNTAUGHT else next(side) for side in sides) + "\n")
        yield number, done, len(blocks)
    yield None, len(blocks), len(blocks)


def _translate(folder: Path, rows: list[Row]) -> list[Row]:
    """The rows of the blocks that are done, up to the first that is not."""
    translated: list[Row] = []
    for number, start in enumerate(range(0, len(rows), _BLOCK)):
        path = folder / _TAUGHT / f"{number:05}.tsv"
        if not path.is_file():
            break
        block = rows[start : start + _BLOCK]
        lines = read_text(path).splitlines()
        if len(lines) != len(block):
            raise InputError(f"{path}: {len(lines)} lines; expected {len(block)}; remove it and give the command again")
        for row, line in zip(block, lines, strict=True):
            translated.append(row._replace(**dict(zip(TAUGHT, line.split("\t"), strict=True))))
    return translated


def _sound(row: Row) -> bool:
    """Whether the teacher's translations look like translations."""
    return row.kind in UNTAUGHT or all(_is_plausible(row.en, getattr(row, target)) for target in TAUGHT)


def _is_plausible(source: str, target: str) -> bool:
    words = target.lower().split()
    runs = zip(*(words[place:] for place in range(_LOOP)), strict=False)
    return 0.4 <= len(target) / len(source) <= 2.5 and not any(len(set(run)) == 1 for run in runs)


def _table(rows: Sequence[Row]) -> str:
    return "".join("\t".join(cells) + "\n" for cells in (LANGUAGES, *(row[1:] for row in rows)))
