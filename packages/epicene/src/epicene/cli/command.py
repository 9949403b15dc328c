"""What every command is: a function that gives answers, with options from records, printed in every format."""

from __future__ import annotations

import dataclasses
import inspect
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from types import NoneType
from typing import Annotated, Any, TypeVar, cast, get_args, get_type_hints

import typer

from epicene.options import Flag
from epicene.output.render import WIDTH, Format, render
from epicene.output.table import Answer

Command = Callable[..., Iterable[Answer] | None]
Several = tuple[str, ...]  # of an option that may be repeated
AnyCommand = TypeVar("AnyCommand", bound=Command)
_OUTPUT = "output_format"


def option(spelling: str, text: str = "", **details: Any) -> Any:
    """An option as its help spells it, such as ``-t, --set SET``, and what it does."""
    words = spelling.replace(",", "").split()
    names = [word for word in words if word.startswith("-")]
    return typer.Option(*names, metavar=" ".join(words[len(names) :]) or None, help=text or None, **details)


def argument(metavar: str, text: str | None = None) -> Any:
    """An argument by its name in the help, and what it is."""
    return typer.Argument(metavar=metavar, help=text)


OutputFormat = Annotated[Format, option("-f, --format", "Output format.")]


class Without:
    """Fields of a record that are no options of a command: ``Annotated[Asking, Without("sample")]``."""

    def __init__(self, *names: str) -> None:
        self.names = names


def command(app: typer.Typer, name: str | None = None) -> Callable[[AnyCommand], AnyCommand]:
    """Make a function a command of a program: records become options, ``-f`` is added, answers are printed.

    A function that returns None prints for itself, and has no ``-f``. An option whose default is a tuple may be given
    several times. What a function has yielded is printed even where it then raises, so that an error can come with what
    it is about.
    """

    def register(function: AnyCommand) -> AnyCommand:
        options, records = _expand(function)
        has_format = _OUTPUT in options  # what is shown depends on it
        if get_type_hints(function)["return"] is not NoneType:
            options.setdefault(_OUTPUT, (OutputFormat, Format.TEXT))

        @wraps(function)
        def run(**values: Any) -> None:
            how = values[_OUTPUT] if has_format else values.pop(_OUTPUT, Format.TEXT)
            for option_name, (_, default) in options.items():
                if isinstance(default, tuple):
                    values[option_name] = tuple(values[option_name] or ())
            for record, (kind, fields) in records.items():
                values[record] = kind(**{field: values.pop(field) for field in fields})
            answers: list[Answer] = []
            try:
                for answer in function(**values) or ():
                    answers.append(answer)  # noqa: PERF402 - what came before an error is kept
            finally:
                if answers:
                    show(answers, how)

        parameters = [_make_parameter(option_name, *spelt) for option_name, spelt in options.items()]
        vars(run)["__signature__"] = inspect.Signature(parameters)
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        app.command(name)(run)
        return function

    return register


def _expand(function: Command) -> tuple[dict[str, tuple[Any, Any]], dict[str, tuple[type, list[str]]]]:
    """The type and the default of each option of a function, its records' among them, and the fields of the records."""
    options: dict[str, tuple[Any, Any]] = {}
    records: dict[str, tuple[type, list[str]]] = {}
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        kind, *extras = get_args(hints[name]) or (hints[name],)
        if not dataclasses.is_dataclass(kind):
            options[name] = hints[name], parameter.default
            continue
        left_out = [field for extra in extras if isinstance(extra, Without) for field in extra.names]
        fields = {field: spelt for field, spelt in _list_fields(kind) if field not in left_out}
        options |= fields
        records[name] = cast(type, kind), list(fields)
    return options, records


def _list_fields(record: Any) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """The fields of a record that are options, each with its type and its default."""
    hints = get_type_hints(record, include_extras=True)
    for field in dataclasses.fields(record):
        kind, *extras = get_args(hints[field.name]) or (None,)
        for flag in (extra for extra in extras if isinstance(extra, Flag)):
            names = flag.names or (f"--{field.name.replace('_', '-')}",)
            details: dict[str, Any] = {"callback": _invert} if flag.turns_off else {}
            spelling = f"{' '.join(names)} {flag.metavar}"
            spelt = option(spelling, flag.help, min=flag.least, max=flag.most, **details)
            default = inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default
            yield field.name, (Annotated[kind, spelt], False if flag.turns_off else default)


def _invert(value: bool) -> bool:
    return not value


def _make_parameter(name: str, hint: Any, default: Any) -> inspect.Parameter:
    """The parameter by which Typer knows an option; a tuple is a list there, and none where it is not given."""
    kind, *extras = get_args(hint)
    if isinstance(default, tuple):
        item: Any = get_args(kind)[0]
        several: Any = list[item] | None
        default, hint = None, Annotated[several, *extras]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def show(answers: Sequence[Answer], how: Format | str) -> None:
    """Print answers to standard output."""
    width = max(WIDTH, shutil.get_terminal_size((WIDTH, 0)).columns)
    typer.echo(render(answers, Format(how), width, sys.stdout.isatty()))
