"""Changes a module's code one place at a time and says which changes no test notices.

``python -m tests.mutants MODULE TEST ...``, such as ``epicene.compare.paired tests/measures``: a constant grows or goes
to nought, a comparison or a sign turns round, ``and`` becomes ``or``, a return gives nothing. The tests are collected
once; each mutant is a fork of that process, whose functions get the changed code, and ends with its first failure.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import os
import signal
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from epicene.languages import LANGUAGES
from epicene.languages.folder import load

_LIMIT = 120  # seconds that a mutant may take; one that hangs was noticed
_TURNED: dict[type[Any], type[Any]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}


def _others(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """Attributes of a node and what each becomes."""
    if isinstance(node, ast.Compare):
        yield "ops", [_TURNED[type(node.ops[0])](), *node.ops[1:]]
    elif isinstance(node, (ast.BoolOp, ast.BinOp)) and type(node.op) in _TURNED:
        yield "op", _TURNED[type(node.op)]()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
        yield "operand", ast.UnaryOp(node.op, node.operand)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "value", not node.value
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield "value", node.value * 1000 or 1
        if node.value:
            yield "value", 0
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield "value", ast.Constant(None)
    elif isinstance(node, (ast.Break, ast.Continue)):
        yield "__class__", ast.Pass


def mutants(source: str) -> Iterator[tuple[int, str, ast.Module]]:
    """Line, what the changed statement reads now, and the changed module."""
    tree = ast.parse(source)
    places = [number for number, node in enumerate(ast.walk(tree)) if any(_others(node))]
    for number in places:
        for choice in range(sum(1 for _ in _others(_at(tree, number)))):
            changed = copy.deepcopy(tree)
            node = _at(changed, number)
            before = ast.unparse(_shown(changed, node))
            name, value = list(_others(node))[choice]
            setattr(node, name, value)
            after = ast.unparse(_shown(changed, node))
            yield (
                getattr(node, "lineno", 0),
                f"{_one_line(before)}  ->  {_one_line(after)}",
                ast.fix_missing_locations(changed),
            )


def _one_line(text: str) -> str:
    return " ".join(text.split())[:160]


def _at(tree: ast.Module, number: int) -> ast.AST:
    return next(node for place, node in enumerate(ast.walk(tree)) if place == number)


def _shown(tree: ast.Module, node: ast.AST) -> ast.AST:
    """The smallest simple statement around a node, else the node itself."""
    around = [
        each
        for each in ast.walk(tree)
        if isinstance(each, ast.stmt) and not hasattr(each, "body") and any(part is node for part in ast.walk(each))
    ]
    return around[-1] if around else node


def _apply(module: ModuleType, tree: ast.Module) -> None:
    """Give the functions and constants of a module the changed code, so that whoever imported them has it too."""
    changed = ModuleType(module.__name__)
    changed.__dict__.update(__file__=module.__file__, __package__=module.__package__)
    sys.modules[module.__name__] = changed  # dataclasses look their module up
    exec(compile(tree, module.__file__ or "", "exec"), changed.__dict__)  # noqa: S102
    sys.modules[module.__name__] = module
    _take(vars(module), vars(changed), module)


def _take(old: Any, new: Any, module: ModuleType) -> None:
    for name, value in list(new.items()):
        mine = old.get(name)
        if isinstance(mine, (staticmethod, classmethod)):
            mine, value = mine.__func__, value.__func__
        if isinstance(mine, property):
            mine, value = mine.fget, value.fget
        mine, value = (
            inspect.unwrap(mine) if callable(mine) else mine,
            inspect.unwrap(value) if callable(value) else value,
        )
        if isinstance(mine, FunctionType) and mine.__module__ in (module.__name__, None):
            if isinstance(value, FunctionType) and isinstance(value.__code__, CodeType):
                mine.__code__, mine.__defaults__, mine.__kwdefaults__ = (
                    value.__code__,
                    value.__defaults__,
                    value.__kwdefaults__,
                )
        elif isinstance(mine, type) and mine.__module__ == module.__name__:
            _take(vars(mine), vars(value), module)
        elif isinstance(mine, dict) and not name.startswith("__"):
            mine.clear()
            mine.update(value)
        elif isinstance(mine, (bool, int, float, str, tuple, frozenset)) and not name.startswith("__"):
            old[name] = value


class _Run:
    """Runs the collected tests on every mutant instead of once."""

    def __init__(self, name: str) -> None:
        self.module = importlib.import_module(name)
        self.noticed = 0
        self.unnoticed: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        source = inspect.getsource(self.module)
        for code in LANGUAGES.names():  # read once here rather than in every fork
            load(code)
        for line, text, tree in mutants(source):
            if self._survives(session, tree):
                self.unnoticed.append(f"{self.module.__name__}:{line}: {text}")
                print(self.unnoticed[-1], file=sys.__stdout__, flush=True)
            else:
                self.noticed += 1
        return True

    def _survives(self, session: pytest.Session, tree: ast.Module) -> bool:
        child = os.fork()
        if not child:
            signal.alarm(_LIMIT)
            os._exit(self._passes(session, tree))
        return os.waitpid(child, 0)[1] == 0

    def _passes(self, session: pytest.Session, tree: ast.Module) -> int:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            _apply(self.module, tree)
            for number, item in enumerate(session.items):
                following = session.items[number + 1] if number + 1 < len(session.items) else None
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    return 1
        except BaseException:  # noqa: BLE001 - a mutant that cannot even be loaded was noticed
            return 1
        return 0


def main() -> None:
    """Print the mutants that no test notices, and how many there were."""
    name, *tests = sys.argv[1:]
    run = _Run(name)
    pytest.main([*tests, "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:terminal"], plugins=[run])
    print(f"{name}: {run.noticed + len(run.unnoticed)} mutants, {len(run.unnoticed)} not noticed")


if __name__ == "__main__":
    main()
