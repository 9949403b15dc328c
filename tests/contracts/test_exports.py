"""What ``import epicene`` offers: every verb, record and error, each once, and in order."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import epicene
from epicene import errors


def test_all_names_are_there_once_and_sorted() -> None:
    assert epicene.__all__ == sorted(set(epicene.__all__))
    assert dir(epicene) == epicene.__all__
    for name in epicene.__all__:
        assert getattr(epicene, name) is not None


def test_every_error_that_a_user_may_catch_is_exported() -> None:
    tree = {name for name, thing in vars(errors).items() if inspect.isclass(thing) and issubclass(thing, Exception)}
    assert tree <= set(epicene.__all__)


def test_a_verb_is_not_hidden_by_the_folder_of_its_name() -> None:
    folders = {module.name for module in pkgutil.iter_modules(epicene.__path__)} & set(epicene.__all__)
    assert "compare" in folders
    for name in folders:
        importlib.import_module(f"epicene.{name}")
        assert callable(getattr(epicene, name))


def test_every_public_name_is_documented() -> None:
    assert [name for name in epicene.__all__ if name != "__version__" and not getattr(epicene, name).__doc__] == []
