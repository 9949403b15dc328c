"""What can be found by name, whoever brings it: a file of this package, or an entry point of another one.

Each kind of thing (sets, systems, detectors, recognisers, voices, studies, languages) has a ``Registry`` that the
package of these things defines. What is found is checked to be of the declared type as it is loaded.
"""

from __future__ import annotations

import importlib
import logging
import math
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, TypeVar
from urllib.parse import parse_qsl

from epicene.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

# Kinds that are no more, for one version: what takes their place.
_RETIRED = {"epicene.views": "TestSet(tables=…) brings them", "epicene.measures": "TestSet(measures=…) brings them"}
_log = logging.getLogger(__name__)
T_co = TypeVar("T_co", covariant=True)
Loaders = Mapping[str, Callable[[], object]]  # by name: what loads it


@dataclass(frozen=True, slots=True)
class Registry(Generic[T_co]):
    """Things of one kind, which are found by name."""

    what: str  # as messages call one: "set"
    group: str  # the entry points of other packages: "epicene.sets"
    accepted: tuple[type[T_co], ...]
    own: Callable[[], Loaders]  # what this package brings
    hint: str = ""  # added where a name is unknown

    def names(self) -> list[str]:
        """All registered names, sorted."""
        return sorted({*_find_own(self.own), *_find_others(self.group)})

    def __contains__(self, name: object) -> bool:
        """Whether a name is registered; other packages are looked through only for what this one does not bring."""
        return name in _find_own(self.own) or name in _find_others(self.group)

    def find(self, name: str) -> T_co:
        """What is registered under a name; unknown names raise with the nearest known one."""
        load = _find_own(self.own).get(name) or _find_others(self.group).get(name)
        if load is None:
            raise UnknownNameError(self.what, name, self.names(), self.hint)
        loaded = load()
        if not isinstance(loaded, self.accepted):
            wanted = " or ".join(kind.__name__ for kind in self.accepted)
            raise InputError(
                f"{self.what} {name}: {_describe_place(load)} is a {type(loaded).__name__}; expected a {wanted}"
            )
        return loaded


def find_modules(
    attribute: str, *packages: str, others: Mapping[str, str] = MappingProxyType({})
) -> Callable[[], Loaders]:
    """The modules of packages, each by its name ("_" as "-") and for the object that it defines as ``attribute``.

    ``others`` names what is defined elsewhere, as ``package.module:OBJECT``.
    """
    return partial(_list_modules, attribute, packages, others)


def _list_modules(attribute: str, packages: tuple[str, ...], others: Mapping[str, str]) -> Loaders:
    roots = [importlib.import_module(package) for package in packages]
    named = {
        module.name.replace("_", "-"): partial(_load_object, f"{root.__name__}.{module.name}", attribute)
        for root in roots
        for module in pkgutil.iter_modules(root.__path__)
    }
    return named | {name: partial(_load_object, *where.split(":")) for name, where in others.items()}


def load_defined(attribute: str, module: str) -> Callable[[], object]:
    """What loads the object that a module defines."""
    return partial(_load_object, module, attribute)


def _load_object(module: str, attribute: str) -> object:
    try:
        return vars(importlib.import_module(module))[attribute]
    except KeyError:
        raise InputError(
            f"{module} defines no {attribute}; see CONTRIBUTING.md for what a file there defines"
        ) from None


@cache
def _find_own(own: Callable[[], Loaders]) -> Loaders:
    return own()


@cache
def _find_others(group: str) -> Loaders:
    from importlib.metadata import entry_points

    points: dict[str, EntryPoint] = {}
    for point in entry_points(group=group):
        if points.setdefault(point.name, point).value != point.value:
            raise InputError(f"{group}: {points[point.name].value} and {point.value} are both called {point.name}")
    if points:
        _warn_of_retired()
    return {name: partial(_load_entry_point, point) for name, point in points.items()}


@cache
def _warn_of_retired() -> None:
    from importlib.metadata import entry_points

    for group, instead in _RETIRED.items():
        for point in entry_points(group=group):
            package = f" of {point.dist.name}" if point.dist else ""
            _log.warning("warning: %s %s%s is not used any more: %s", group, point.name, package, instead)


def _load_entry_point(point: EntryPoint) -> object:
    try:
        return point.load()
    except (ImportError, AttributeError, TypeError) as error:
        package = f" of {point.dist.name}" if point.dist else ""
        raise InputError(f"{point.group} {point.name}: cannot load {point.value}{package}: {error}") from None


def _describe_place(load: Callable[[], object]) -> str:
    if isinstance(load, partial) and load.args:
        first = load.args[0]
        return ".".join(map(str, load.args)) if isinstance(first, str) else str(first.value)
    return "it"


@dataclass(frozen=True, slots=True)
class Factory(Generic[T_co]):
    """What a name such as ``ctranslate2:DIR?beam=5`` is built by, from its argument and options."""

    build: Callable[[str, Options], T_co]
    about: str | None  # begins with a line of how it is spelt and what it is: "``command:CMD``: any program …"
    free_text: bool = False  # the argument is free text, so a question mark in it is its own
    needs: str = ""  # what its argument is, if it cannot do without: "a path, as in file:hyp.de"
    bare: bool = False  # it takes options only

    @property
    def usage(self) -> str:
        """How it is spelt."""
        return self._first_line[0].strip("`")

    @property
    def summary(self) -> str:
        """What it is, in a line."""
        return self._first_line[2].replace("``", "")

    @property
    def _first_line(self) -> tuple[str, str, str]:
        return (self.about or "").partition("\n")[0].partition(": ")


def build(kind: Registry[Factory[T_co]], spec: str) -> T_co:
    """What a name with its argument and options stands for; options that nobody takes are refused."""
    name = re.split("[:?]", spec, maxsplit=1)[0]
    factory = kind.find(name)
    _, argument, options = parse_spec(spec, factory.free_text, kind.what)
    if factory.needs and not argument.strip():
        raise InputError(f"{name}: needs {factory.needs}")
    if factory.bare and argument:
        raise InputError(f"{name}:{argument}: {name} takes no argument, only options")
    built = factory.build(argument, options)
    options.done()
    return built


@dataclass(slots=True)
class Options:
    """Options of what is named; each is taken once by whoever knows it, and what is left over is refused."""

    kind: str
    given: dict[str, str] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    what: str = "system"  # what is named, as messages call it

    def text(self, name: str, default: str) -> str:
        """A text option."""
        self.known.append(name)
        return self.given.pop(name, default)

    def number(self, name: str, default: int, least: int = 1) -> int:
        """A whole-number option."""
        value = self.text(name, str(default))
        if not value.isdecimal() or int(value) < least:
            raise InputError(
                f"{self.what} {self.kind}: option {name}={value!r} must be a whole number of at least {least}"
            )
        return int(value)

    def real(self, name: str, default: float) -> float:
        """An option that is any number above 0."""
        value = self.text(name, f"{default:g}")
        number = parse_number(value)
        if not 0 < number < math.inf:
            raise InputError(f"{self.what} {self.kind}: option {name}={value!r} must be a number above 0")
        return number

    def done(self) -> None:
        """Refuse options that nobody took."""
        if self.given:
            known = ", ".join(self.known) or "none"
            left = ", ".join(sorted(self.given))
            raise InputError(f"{self.what} {self.kind} has no option {left}; it knows: {known}")


def parse_number(text: str) -> float:
    """The number that a text is; not a number (NaN) where it is none, which passes no comparison."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def build_identity(name: str, options: Mapping[str, object]) -> str:
    """A name with the options that change its answers, such as ``deepl?formality=more``; empty ones are left out."""
    chosen = "&".join(f"{option}={value}" for option, value in options.items() if value != "")
    return f"{name}?{chosen}" if chosen else name


def parse_spec(spec: str, free_text: bool = False, what: str = "system") -> tuple[str, str, Options]:
    """Kind, argument and options of a name such as ``ctranslate2:models/ende?beam=5``.

    There are no options where the argument is free text. The values of an option that stands twice are joined by a
    comma.
    """
    kind, _, argument = spec.partition(":")
    given: dict[str, str] = {}
    if not free_text and "?" in argument + kind:
        head, _, query = spec.partition("?")
        kind, _, argument = head.partition(":")
        for name, value in parse_qsl(query, keep_blank_values=True):
            given[name] = f"{given[name]},{value}" if name in given else value
    return kind, argument, Options(kind, given, what=what)
