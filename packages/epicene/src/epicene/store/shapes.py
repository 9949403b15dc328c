"""What JSON from outside must look like, told as it is written: ``{"id": str, "labels": {"*": str}}``."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from epicene.errors import InputError

NUMBER = (int, float)
TEXT = str
LARGEST = 2**53  # beyond it, numbers in JSON are not the same to everybody


def parse(text: str, where: str, shape: Any) -> Any:
    """The JSON of a text, which must have a shape; a refusal names the place."""
    try:
        found = json.loads(text, parse_constant=_refuse)
        if "\\ud" in text.lower():  # half a character that was escaped can be read, but never written again
            json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not JSON: {str(error) or 'nested too deeply'}") from None
    if problem := mismatch(found, shape):
        raise InputError(f"{where}: {problem}")
    return found


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number")


def mismatch(value: Any, shape: Any, path: str = "") -> str:
    """Where a value differs from a shape, in words; nothing if it fits.

    A type, or several in a tuple with None for nothing; ``[shape]`` for a list; a dictionary for an object, in which a
    key that ends in ``?`` may be missing and ``*`` stands for every other key.
    """
    if isinstance(shape, dict):
        return _object(value, shape, path)
    if isinstance(shape, list):
        if not isinstance(value, list):
            return _told(path, "a list", value)
        problems = (mismatch(each, shape[0], f"{path}[{place}]") for place, each in enumerate(value))
        return next(filter(None, problems), "")
    kinds = shape if isinstance(shape, tuple) else (shape,)
    if value is None or isinstance(value, bool):
        fits = (None if value is None else bool) in kinds
    else:
        fits = isinstance(value, tuple(kind for kind in kinds if kind)) and _sane(value)
    return "" if fits else _told(path, " or ".join(_NAMES[kind] for kind in kinds), value)


def _object(value: Any, shape: Mapping[str, Any], path: str) -> str:
    if not isinstance(value, dict):
        return _told(path, "an object", value)
    known = {key.rstrip("?"): expected for key, expected in shape.items()}
    for key in shape:
        if not key.endswith("?") and key != "*" and key not in value:
            return f"no {f'{path}.{key}'.lstrip('.')}"
    for key, each in value.items():
        expected = known.get(key, shape.get("*"))
        if expected is not None and (problem := mismatch(each, expected, f"{path}.{key}".lstrip("."))):
            return problem
    return ""


def _sane(value: Any) -> bool:
    """Whether a number is one that can be calculated with."""
    return not isinstance(value, int | float) or (math.isfinite(value) and abs(value) <= LARGEST)


def _told(path: str, expected: str, value: Any) -> str:
    got = json.dumps(value)
    return f"{path or 'it'} is {got if len(got) <= 40 else got[:37] + '…'}; expected {expected}"


_NAMES: dict[type | None, str] = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
_NAMES[None] = "nothing"
