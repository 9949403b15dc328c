"""What every command is: a function that gives answers, with options from records, printed in every format."""

from __future__ import annotations

import dataclasses
import inspect
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import typer

from epicene.options import Flag
from epicene.output.render import WIDTH, Format, render
from epicene.output.table import Answer

Command = Callable[..., Iterable[Answer] | None]
AnyCommand = TypeVar("AnyCommand", bound=Command)
OutputFormat = Annotated[Format, typer.Option("--format", "-f", help="Output format.")]
_OUTPUT = "output_format"


class Without:
    """Fields of a record that are no options of a command: ``Annotated[Asking, Without("sample")]``."""

    def __init__(self, *names: str) -> None:
        self.names = names


def command(app: typer.Typer, name: str | None = None) -> Callable[[AnyCommand], AnyCommand]:
    """Make a function a command of a program: records become options, ``-f`` is added, answers are printed.

    What a function has yielded is printed even where it then raises, so that an error can come with what it is about.
    """

    def register(function: AnyCommand) -> AnyCommand:
        parameters, records = _expand(function)
        own = any(parameter.name == _OUTPUT for parameter in parameters)  # what is shown depends on the format

        @wraps(function)
        def run(**values: Any) -> None:
            how = values[_OUTPUT] if own else values.pop(_OUTPUT)
            for record, (kind, names) in records.items():
                values[record] = _build(kind, {name: values.pop(name) for name in names})
            answers: list[Answer] = []
            try:
                for answer in function(**values) or ():
                    answers.append(answer)  # noqa: PERF402 - what came before an error is kept
            finally:
                if answers:
                    show(answers, how)

        added = inspect.Parameter(_OUTPUT, inspect.Parameter.KEYWORD_ONLY, default=Format.TEXT, annotation=OutputFormat)
        signature = inspect.Signature(parameters if own else [*parameters, added])
        vars(run)["__signature__"] = signature
        run.__annotations__ = {each.name: each.annotation for each in signature.parameters.values()}
        app.command(name)(run)
        return function

    return register


def _expand(function: Command) -> tuple[list[inspect.Parameter], dict[str, tuple[type, list[str]]]]:
    """The parameters of a function with those of its records in their place, and which are whose."""
    parameters: list[inspect.Parameter] = []
    records: dict[str, tuple[type, list[str]]] = {}
    for parameter in inspect.signature(function).parameters.values():
        text = parameter.annotation
        kind = eval(text, function.__globals__) if isinstance(text, str) else text  # noqa: S307 - our own annotations
        left_out = next((part.names for part in getattr(kind, "__metadata__", ()) if isinstance(part, Without)), ())
        kind = get_args(kind)[0] if left_out else kind
        if not dataclasses.is_dataclass(kind):
            parameters.append(parameter.replace(annotation=kind, kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        assert isinstance(kind, type)  # noqa: S101 - a record is a class
        hints = get_type_hints(kind, include_extras=True)
        options = [
            field for field in dataclasses.fields(kind) if _flag(hints[field.name]) and field.name not in left_out
        ]
        records[parameter.name] = kind, [field.name for field in options]
        parameters += (_make_option(field, hints[field.name]) for field in options)
    return parameters, records


def _flag(hint: Any) -> Flag | None:
    return next((part for part in get_args(hint)[1:] if isinstance(part, Flag)), None)


def _make_option(field: dataclasses.Field[Any], hint: Any) -> inspect.Parameter:
    """The option of a record's field; a tuple may be given many times."""
    flag, kind, default = _flag(hint), get_args(hint)[0], field.default
    assert flag is not None  # noqa: S101 - only such fields are options
    if isinstance(default, tuple):
        kind, default = list[str] | None, None
    if flag.turns_off:
        default = False
    names = flag.names or (f"--{field.name.replace('_', '-')}",)
    option = typer.Option(*names, metavar=flag.metavar or None, help=flag.help, min=flag.least, max=flag.most)
    return inspect.Parameter(
        field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
    )


def _build(kind: Any, values: dict[str, Any]) -> Any:
    """A record from what its options were given."""
    hints, fields = get_type_hints(kind, include_extras=True), {field.name: field for field in dataclasses.fields(kind)}
    for name, value in values.items():
        flag = _flag(hints[name])
        if isinstance(fields[name].default, tuple):
            values[name] = tuple(value or ())
        elif flag and flag.turns_off:
            values[name] = not value
    return kind(**values)


def show(answers: Sequence[Answer], how: Format | str) -> None:
    """Print answers to standard output."""
    width = max(WIDTH, shutil.get_terminal_size((WIDTH, 0)).columns)
    typer.echo(render(answers, Format(how), width, sys.stdout.isatty()))
