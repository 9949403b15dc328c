"""Changes a module's code one place at a time and says which changes no test notices.

``python -m tests.mutants [--draw N] MODULE TEST ...``, such as ``epicene.measures.paired tests/measures``: a constant grows
or goes to nought, a comparison or a sign turns round, ``and`` becomes ``or``, a return gives nothing. The tests are
collected once; each mutant is a fork of that process, whose functions get the changed code, and ends with its first
failure. With ``--draw``, so many mutants are drawn by a checksum of what they say, so that an edit elsewhere in the
module draws the same ones again.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import importlib
import inspect
import os
import signal
import sys
from collections.abc import Iterator
from functools import cached_property
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from epicene.languages import LANGUAGES
from epicene.languages.folder import load

_STYLE = ("strict", "frozen", "slots", "eq", "maxsize")
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


def mutants(source: str, draw: int | None = None) -> Iterator[tuple[int, str, ast.Module]]:
    """Line, what the changed statement reads now, and the changed module; all, or so many that are drawn."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    # Whether records are frozen, equally long lists are checked to be, and how large a cache is, decides nothing.
    keywords = (node for node in nodes if isinstance(node, ast.keyword) and node.arg in _STYLE)
    style = {id(part) for keyword in keywords for part in ast.walk(keyword)}
    places = [
        (number, choice)
        for number, node in enumerate(nodes)
        if id(node) not in style
        for choice in range(sum(1 for _ in _others(node)))
    ]
    if draw is not None:
        told = {place: f"{_text(tree, nodes[place[0]])} {place[1]}" for place in places}
        places = sorted(places, key=lambda place: hashlib.sha256(told[place].encode()).digest())[:draw]
    for number, choice in places:
        changed = copy.deepcopy(tree)
        node = _at(changed, number)
        before = _text(changed, node)
        name, value = list(_others(node))[choice]
        setattr(node, name, value)
        yield (
            getattr(node, "lineno", 0),
            f"{before}  ->  {_text(changed, node)}",
            ast.fix_missing_locations(changed),
        )


def _text(tree: ast.Module, node: ast.AST) -> str:
    return _one_line(ast.unparse(_shown(tree, node)))


def _one_line(text: str) -> str:
    return " ".join(text.split())[:160]


def _at(tree: ast.Module, number: int) -> ast.AST:
    return next(node for place, node in enumerate(ast.walk(tree)) if place == number)


def _shown(tree: ast.Module, node: ast.AST) -> ast.AST:
    """The smallest simple statement, or head of another one, around a node, else the node itself."""
    around = [
        head
        for each in ast.walk(tree)
        if isinstance(each, ast.stmt)
        and (head := each if not hasattr(each, "body") else getattr(each, "test", getattr(each, "iter", None)))
        and any(part is node for part in ast.walk(head))
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
        if isinstance(mine, cached_property):
            mine, value = mine.func, value.func
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
            _set(old, name, value)


def _set(names: Any, name: str, value: object) -> None:
    """Change a constant of the module; those of a class, whose names cannot be set, are data of its type."""
    if isinstance(names, dict):
        names[name] = value


class _Run:
    """Runs the collected tests on every mutant instead of once."""

    def __init__(self, name: str, draw: int | None = None) -> None:
        self.module = importlib.import_module(name)
        self.draw = draw
        self.noticed = 0
        self.unnoticed: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        source = inspect.getsource(self.module)
        if self.draw is None:
            for code in LANGUAGES.names():  # read once here rather than in every fork
                load(code)
        if not self._survives(session, ast.parse(source)):
            raise RuntimeError(f"the tests of {self.module.__name__} fail without any change")
        for line, text, tree in mutants(source, self.draw):
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
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--draw", type=int)
    parser.add_argument("module")
    parser.add_argument("tests", nargs="+")
    given = parser.parse_args()
    name, tests = given.module, given.tests
    run = _Run(name, given.draw)
    pytest.main([*tests, "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:terminal"], plugins=[run])
    print(f"{name}: {run.noticed + len(run.unnoticed)} mutants, {len(run.unnoticed)} not noticed")


if __name__ == "__main__":
    main()
