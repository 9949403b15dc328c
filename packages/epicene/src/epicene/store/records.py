"""Records as JSON: ``encode`` writes them by their field names, ``decode`` reads them checked by their annotations.

A line of a run folder is flat: it holds all that an item, its output and the verdict on it do, and leaves out what is
empty. Lines of older formats are brought up to date by ``MIGRATIONS``.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from epicene.errors import InputError
from epicene.files import write_atomically
from epicene.types import Accepted, Evidence, Item, Output, Transcription, Verdict

Json = Any
Reader = Callable[[Json], Any]
T = TypeVar("T")
_LARGEST = 2**53  # beyond it, numbers in JSON are not the same to everybody
_NAMES: dict[Any, str] = {str: "text", int: "a whole number", float: "a number", bool: "true or false", Path: "a path"}
_PLAIN = (str, int, bool, types.NoneType)
_REQUIRED = object()
_POSITIONAL: tuple[Any, ...] = (Evidence, Accepted)  # short records that are written as lists


def _rename_focus(line: dict[str, Json]) -> dict[str, Json]:
    return {"person" if key == "focus" else key: value for key, value in line.items()}


def _rename_method(line: dict[str, Json]) -> dict[str, Json]:
    return {"step": line.get("method"), **line}


# Append only: the first leads from lines of format 1 to those of format 2, and so on.
MIGRATIONS: tuple[tuple[str, Callable[[dict[str, Json]], dict[str, Json]]], ...] = (
    ("the person was called focus", _rename_focus),
    ("the step was called method", _rename_method),
)
FORMAT = len(MIGRATIONS) + 1  # of run folders; a newer one is refused, never guessed at


def encode(record: Any) -> Json:
    """A record as JSON has it: fields that have their default are left out, and what is not finite is null."""
    if type(record) in _PLAIN:
        return record
    if isinstance(record, _POSITIONAL):
        return [encode(value) for value in record]
    if dataclasses.is_dataclass(record) or hasattr(record, "_asdict"):
        kind: Any = type(record)
        values = ((name, getattr(record, name), default) for name, (_, default) in _fields(kind).items())
        return {name: encode(value) for name, value, default in values if default is _REQUIRED or value != default}
    if isinstance(record, Enum):
        return record.value
    if isinstance(record, Path):
        return str(record.absolute())
    if isinstance(record, Mapping):
        return {str(key): encode(value) for key, value in record.items()}
    if isinstance(record, list | tuple):
        return [encode(value) for value in record]
    return None if isinstance(record, float) and not math.isfinite(record) else record


def decode(kind: type[T], data: Json, where: str) -> T:
    """The record that JSON tells of; whatever does not fit its annotations is refused, with the place."""
    try:
        record: T = _reader(typing.cast("Any", kind))(data)
    except _Misfit as error:
        raise InputError(f"{where}: {error}") from None
    return record


def parse(text: str, where: str) -> Json:
    """The JSON of a text; a refusal names the place."""
    try:
        data = json.loads(text, parse_constant=_refuse)
        if "\\ud" in text.lower():  # half a character that was escaped can be read, but never written again
            json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not JSON: {str(error) or 'nested too deeply'}") from None
    return data


def output_line(output: Output) -> dict[str, Json]:
    """An output and the item that it answers, as a line of a run folder has them."""
    item = encode(output.item)
    return {
        "id": item.pop("id"),
        "system": output.system,
        "target": output.target,
        "source": item.pop("source"),
        "output": output.text,
        **({"verbatim": output.verbatim} if output.verbatim else {}),
        **(encode(output.heard) if output.heard else {}),
        "labels": {},
        **item,
        **({"refused": output.refused} if output.refused else {}),
    }


def finding_line(verdict: Verdict) -> dict[str, Json]:
    """What was read, without the output."""
    rest = {
        name: encode(value)
        for name, (_, default) in _fields(Verdict).items()
        if default is not _REQUIRED and (value := getattr(verdict, name)) != default
    }
    # Until 0.2 the step was called method, which readers of these lines may still look for.
    return {"gender": verdict.gender.value, "step": verdict.step, "method": verdict.step, "evidence": [], **rest}


def verdict_line(verdict: Verdict) -> dict[str, Json]:
    """A verdict, with the output that it is about."""
    return {**output_line(verdict.output), **finding_line(verdict)}


def read_output(line: dict[str, Json], where: str) -> Output:
    """The output of a line."""
    item = decode(Item, line, where)
    heard = decode(Transcription, line, where) if "transcript" in line else None
    return decode(Output, {**line, "item": item, "text": line.get("output"), "heard": heard}, where)


def read_finding(output: Output, line: dict[str, Json], where: str) -> Verdict:
    """The verdict on an output that a line of what was read tells."""
    return decode(Verdict, {**line, "output": output}, where)


def read_verdict(line: Json, where: str, written_in: int = FORMAT) -> Verdict:
    """The verdict of a line, which may be of an older format."""
    if not isinstance(line, dict):
        raise InputError(f"{where}: {_Misfit('an object', line)}")
    for _, migrate in MIGRATIONS[written_in - 1 :]:
        line = migrate(line)
    return read_finding(read_output(line, where), line, where)


@contextmanager
def verdict_file(path: Path | None) -> Iterator[Callable[[Verdict], None] | None]:
    """A sink that writes each verdict as a line; the file appears when all are there."""
    if path is None:
        yield None
        return
    with write_atomically(path) as stream:
        yield lambda verdict: print(json.dumps(verdict_line(verdict), ensure_ascii=False), file=stream)


def write_jsonl(path: Path, records: Iterable[dict[str, Json]]) -> None:
    """Write records as JSON lines; the file appears when all are there."""
    with write_atomically(path) as stream:
        stream.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


class _Misfit(Exception):  # noqa: N818 - it never leaves this file
    """What was expected, what is there instead, and on which way to it."""

    def __init__(self, expected: str, value: Json) -> None:
        super().__init__(expected, value)
        self.expected, self.value, self.way = expected, value, ""

    def within(self, step: str) -> _Misfit:
        """The same, seen from one step further out."""
        self.way = f"{step}{'' if not self.way or self.way.startswith('[') else '.'}{self.way}"
        return self

    def __str__(self) -> str:
        if self.value is _REQUIRED:
            return f"no {self.way}"
        got = json.dumps(self.value, default=repr)
        return f"{self.way or 'it'} is {got if len(got) <= 40 else got[:37] + '…'}; expected {self.expected}"


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number")


@cache
def _fields(kind: Any) -> dict[str, tuple[Any, Any]]:
    """Annotation and default of each field of a record."""
    hints = typing.get_type_hints(kind)
    if hasattr(kind, "_field_defaults"):
        return {name: (hints[name], kind._field_defaults.get(name, _REQUIRED)) for name in hints}
    fields = {}
    for field in dataclasses.fields(kind):
        made = field.default_factory() if field.default_factory is not dataclasses.MISSING else field.default
        fields[field.name] = hints[field.name], _REQUIRED if made is dataclasses.MISSING else made
    return fields


@cache
def _reader(kind: Any) -> Reader:
    """What reads a value of a type out of JSON; a ``_Misfit`` says where it does not fit."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind) or hasattr(kind, "_field_defaults"):
        readers = {name: (_reader(hint), default is _REQUIRED) for name, (hint, default) in _fields(kind).items()}
        return partial(_read_record, kind, readers)
    if origin in (typing.Union, types.UnionType):
        *others, last = (_reader(part) for part in parts if part is not types.NoneType)
        return partial(_read_any, types.NoneType in parts, others, last)
    if origin in (tuple, list):
        return partial(_read_list, origin, _reader(parts[0]))
    if origin is not None:
        return partial(_read_mapping, _reader(parts[1]))
    if kind is Any:
        return lambda data: data
    return partial(_read_member if issubclass(kind, Enum) else _read_plain, kind)


def _read_record(kind: type, readers: Mapping[str, tuple[Reader, bool]], data: Json) -> Any:
    """By field names, what is none passed over; in order for records that are written as lists."""
    if isinstance(data, kind):
        return data
    if kind in _POSITIONAL and isinstance(data, list) and len(data) <= len(readers):
        data = dict(zip(readers, data, strict=False))
    if not isinstance(data, dict):
        raise _Misfit("a list" if kind in _POSITIONAL else "an object", data)
    values = {}
    for name, (read, is_required) in readers.items():
        if name in data:
            try:
                values[name] = read(data[name])
            except _Misfit as error:
                raise error.within(name) from None
        elif is_required:
            raise _Misfit("", _REQUIRED).within(name)
    return kind(**values)


def _read_list(kind: Callable[[Iterable[Any]], Any], read: Reader, data: Json) -> Any:
    if not isinstance(data, list):
        raise _Misfit("a list", data)
    return kind(_read_within(f"[{place}]", read, value) for place, value in enumerate(data))


def _read_mapping(read: Reader, data: Json) -> Any:
    if not isinstance(data, dict):
        raise _Misfit("an object", data)
    return {key: _read_within(key, read, value) for key, value in data.items()}


def _read_within(step: str, read: Reader, data: Json) -> Any:
    try:
        return read(data)
    except _Misfit as error:
        raise error.within(step) from None


def _read_any(optional: bool, others: Sequence[Reader], last: Reader, data: Json) -> Any:
    """A value of the first type that fits; the last of them says why none does."""
    if data is None and optional:
        return None
    for read in others:
        with contextlib.suppress(_Misfit):
            return read(data)
    return last(data)


def _read_member(kind: type[Enum], data: Json) -> Any:
    try:
        return kind(data)
    except ValueError:
        raise _Misfit(f"one of {', '.join(member.value for member in kind)}", data) from None


def _read_plain(kind: type, data: Json) -> Any:
    if type(data) is str is kind:  # most values are
        return data
    accepted = {float: (int, float), Path: (str,)}.get(kind, (kind,))
    if not isinstance(data, accepted) or (isinstance(data, bool) and kind is not bool):
        raise _Misfit(_NAMES[kind], data)
    if isinstance(data, int | float) and not (math.isfinite(data) and abs(data) <= _LARGEST):
        raise _Misfit(_NAMES[kind], data)
    return Path(str(data)) if kind is Path else data
