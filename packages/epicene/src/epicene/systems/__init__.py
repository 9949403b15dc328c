"""Systems: one file per way to translate, in ``local`` or ``services``, each with ``SYSTEM = SystemFactory(…)``."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from epicene import registry
from epicene.errors import InputError
from epicene.types import AnySystem, Cascade, Pair, SpeechSystem, System, TranslationFile

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop


class SystemFactory(registry.Factory[AnySystem]):
    """Builds a system from the argument and the options of its name."""


SYSTEMS = registry.Registry(
    "system",
    "epicene.systems",
    (SystemFactory,),
    registry.find_modules(
        "SYSTEM",
        "epicene.systems.local",
        "epicene.systems.services",
        others={
            "command-speech": "epicene.systems.local.command:SPEECH",
            "echo": "epicene.systems.fake:ECHO",
            "scripted": "epicene.systems.fake:SCRIPTED",
        },
    ),
)


def open_system(spec: str) -> AnySystem:
    """The system of a name such as ``ctranslate2:DIR?beam=5``, whatever it translates."""
    return registry.build(SYSTEMS, spec)


class FunctionSystem:
    """A Python function as a system: it gets a list of sentences and returns their translations, in order.

    The function may be ``async``; all its calls then run in one event loop, beside that of a notebook. ``identity`` is
    the key under which translations are cached: change it whenever the function may answer differently.
    """

    def __init__(
        self,
        function: Callable[[list[str]], Iterable[str] | Coroutine[Any, Any, Iterable[str]]],
        identity: str,
        batch_size: int | None = None,
    ) -> None:
        self._function = function
        self.identity = identity
        self.batch_size = batch_size

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterable[str]:  # noqa: ARG002
        """What the function makes of the sentences."""
        texts = self._function(list(sources))
        if not isinstance(texts, Coroutine):
            return texts
        import asyncio

        return asyncio.run_coroutine_threadsafe(texts, self._loop).result()

    @cached_property
    def _loop(self) -> AbstractEventLoop:
        import asyncio
        from threading import Thread

        loop = asyncio.new_event_loop()
        Thread(target=loop.run_forever, daemon=True).start()
        return loop


def accept_object(system: AnySystem) -> AnySystem:
    """A system that a caller made, checked before anything is translated."""
    if isinstance(system, System | Cascade | SpeechSystem):
        return system
    if callable(system):
        raise InputError(
            "a function has no identity to cache its translations under; wrap it: "
            "epicene.FunctionSystem(function, 'my-model-1')"
        )
    raise InputError(
        f"{type(system).__name__} is no system; expected identity, batch_size and translate(sources, pair)"
    )


def load(spec: str) -> System:
    """The system for text of a name."""
    return for_text(spec, open_system(spec))


def for_text(spec: str, system: AnySystem) -> System:
    """An opened system, if it translates text."""
    if isinstance(system, System):
        return system
    if isinstance(system, TranslationFile):
        raise InputError(f"{system.identity} belongs to a set; use it with score or audit, not to translate new text")
    raise InputError(
        f"{spec} translates speech, not text; give it a spoken set, such as -t winost, or name a system for text"
    )


def for_speech(spec: str, system: AnySystem) -> Cascade | SpeechSystem:
    """An opened system, if it translates speech."""
    if isinstance(system, Cascade | SpeechSystem):
        return system
    raise InputError(
        f"{spec} translates text, but the set is spoken; put a recogniser before it, as in cascade:pocketsphinx+"
        f"{spec}, or cascade:oracle+{spec} to translate what was really said"
    )


def translator_of(system: AnySystem) -> System | None:
    """Who translates text in a system: itself, or the second part of a cascade; None where nobody does."""
    if isinstance(system, Cascade):
        return system.translator
    return system if isinstance(system, System) else None
