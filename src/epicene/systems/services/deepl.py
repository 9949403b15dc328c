"""``deepl``: DeepL's API, free or pro, through its own library (extra ``services``).

Key: DEEPL_AUTH_KEY. Options: formality, model_type, glossary (its id), variant (such as en-gb, pt-br); rate and
concurrent, which change no answer. DEEPL_SERVER_URL names another server.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from epicene.errors import (
    EpiceneError,
    InputError,
    KeyRefusedError,
    MissingExtraError,
    QuotaError,
    TryLaterError,
)
from epicene.spec import Options
from epicene.systems import SystemFactory
from epicene.systems.network.http import failure, garbled, moved, said, seconds, timeout
from epicene.systems.network.keys import Secret, key
from epicene.systems.network.replies import answers, word
from epicene.systems.network.service import Answer, Limits, Service
from epicene.systems.network.url import endpoint, without_password
from epicene.types import Pair

if TYPE_CHECKING:
    import deepl
    import requests

_WHERE = "https://www.deepl.com/your-account/keys"
_VARIABLES = ("DEEPL_AUTH_KEY", "DEEPL_API_KEY")
SERVER_VARIABLE = "DEEPL_SERVER_URL"
# The API takes 50 texts and 128 KiB at once; a character may take six bytes of JSON. It names no rate.
_LIMITS = Limits(texts=50, characters=20_000, sentence=20_000, per_second=10, concurrent=4)
# DeepL translates into a variant of these, never into the plain language.
_VARIANTS = {"en": "en-us", "pt": "pt-br"}
_FORMALITIES = ("default", "more", "less", "prefer_more", "prefer_less")
_MODELS = ("latency_optimized", "quality_optimized", "prefer_quality_optimized")


class DeepL(Service):
    """Looks for its key when the first request is made."""

    def __init__(self, options: Options) -> None:
        self._formality = _one_of(options, "formality", _FORMALITIES)
        self._model = _one_of(options, "model_type", _MODELS)
        self._glossary = options.text("glossary", "")
        self._variant = options.text("variant", "").lower()
        self.limits = _LIMITS.chosen(options)
        chosen = {
            "formality": self._formality,
            "glossary": self._glossary,
            "model_type": self._model,
            "variant": self._variant,
        }
        given = "&".join(f"{name}={value}" for name, value in chosen.items() if value)
        self.identity = f"deepl?{given}" if given else "deepl"
        self._local = threading.local()
        self._lock = threading.Lock()
        self._opened: deepl.DeepLClient | None = None

    @cached_property
    def price(self) -> str:  # type: ignore[override]
        """Keys of the free plan end in ``:fx``; without a key, the price of the other plan is named."""
        try:
            free = _key().reveal().endswith(":fx")
        except KeyRefusedError:
            free = False
        return "deepl-free" if free else "deepl"

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One request for texts."""
        options: dict[str, Any] = {"formality": self._formality, "model_type": self._model, "glossary": self._glossary}
        found = self._call(
            pair,
            lambda client: client.translate_text(
                list(sources),
                source_lang=pair.source,
                target_lang=self._target(pair),
                **{name: value for name, value in options.items() if value},
            ),
        )
        texts = answers("deepl", [each.text for each in found])
        return [
            text._replace(model=word(each.model_type_used), characters=each.billed_characters)
            for text, each in zip(texts, found, strict=True)
        ]

    def accepts(self, pair: Pair) -> None:
        """Refuse a variant of another language."""
        self._target(pair)

    def check(self, pair: Pair) -> list[str]:
        """Asks for the quota and for the languages."""
        usage = self._call(pair, lambda client: client.get_usage())
        self._check_pair(pair)
        count, limit = usage.character.count or 0, usage.character.limit
        left = f"{count:,} of {limit:,} characters used" if limit else f"{count:,} characters used, no limit"
        if usage.any_limit_reached:
            raise QuotaError(f"deepl: nothing is left of this month's quota: {left}; see {_WHERE}")
        plan = "free" if self.price == "deepl-free" else "pro"
        return [f"key: accepted ({plan} plan)", f"quota: {left}", f"pair: {pair}, as {self._target(pair).upper()}"]

    def _target(self, pair: Pair) -> str:
        if self._variant and not self._variant.startswith(pair.target):
            raise InputError(f"system deepl: variant {self._variant} is no variant of {pair.target}")
        return self._variant or _VARIANTS.get(pair.target, pair.target)

    def _check_pair(self, pair: Pair) -> None:
        known = {
            "from": {word(each.code).lower() for each in self._call(pair, lambda it: it.get_source_languages())},
            "into": {word(each.code).lower() for each in self._call(pair, lambda it: it.get_target_languages())},
        }
        for direction, code in (("from", pair.source), ("into", self._target(pair))):
            if code not in known[direction]:
                codes = ", ".join(sorted(known[direction]))
                raise InputError(f"deepl does not translate {direction} {code}; it does {direction}: {codes}")

    def _client(self) -> deepl.DeepLClient:
        with self._lock:
            if self._opened is None:
                self._opened = self._open()
            return self._opened

    def _open(self) -> deepl.DeepLClient:
        try:
            import deepl
        except ImportError:
            raise MissingExtraError("system deepl", "services") from None
        deepl.http_client.max_network_retries = 0  # patience is the engine's
        deepl.http_client.min_connection_timeout = timeout()
        other = os.environ.get(SERVER_VARIABLE) and endpoint("deepl", SERVER_VARIABLE, "https://api.deepl.com")
        client = deepl.DeepLClient(_key().reveal(), server_url=other or None, send_platform_info=False)
        for scheme in ("https://", "http://"):
            client._client._session.mount(scheme, self._adapter())
        return client

    def _adapter(self) -> requests.adapters.HTTPAdapter:
        """What the library does not do is done as the response goes by: Retry-After is read, no redirect followed."""
        import requests

        local = self._local

        class Noting(requests.adapters.HTTPAdapter):
            def send(self, *request: Any, **options: Any) -> requests.Response:
                response = super().send(*request, **options)
                local.retry_after = response.headers.get("Retry-After")
                local.moved = response.headers.pop("Location", "") if response.is_redirect else ""
                return response

        return Noting()

    def _call(self, pair: Pair, request: Any) -> Any:
        client = self._client()
        import deepl

        self._local.retry_after, self._local.moved = None, ""
        try:
            found = request(client)
        except deepl.DeepLException as error:
            raise self._failure(error, pair) from None
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            raise garbled("deepl", str(error)) from None
        if self._local.moved:  # which the library takes for an answer
            raise moved("deepl", self._local.moved)
        return found

    def _failure(self, error: deepl.DeepLException, pair: Pair) -> EpiceneError:
        import deepl

        message, status = said(str(error)), error.http_status_code
        if isinstance(error, deepl.AuthorizationException):
            return KeyRefusedError(f"deepl does not accept the key in {_VARIABLES[0]} ({message}); get one at {_WHERE}")
        if isinstance(error, deepl.QuotaExceededException):
            return QuotaError(f"deepl: this month's quota is used up ({message}); see {_WHERE}")
        if isinstance(error, deepl.exceptions.ConnectionException):
            return _broken(error.__cause__, message)
        if status is None:
            return garbled("deepl", message)
        if status == 400 and "_lang" in message:
            return self._wrong_pair(pair, message)
        found = failure("deepl", status, message)
        if isinstance(found, TryLaterError):
            found.after = seconds(self._local.retry_after)
        return found

    def _wrong_pair(self, pair: Pair, message: str) -> EpiceneError:
        try:
            self._check_pair(pair)
        except EpiceneError as error:
            return error
        return InputError(f"deepl does not translate {pair}: {message}")


def _broken(cause: BaseException | None, message: str) -> TryLaterError:
    """What became of a connection, in few words; only one that stood may have been charged for."""
    import requests
    from urllib3.exceptions import NewConnectionError

    reason = getattr(cause.args[0], "reason", None) if cause and cause.args else None
    if isinstance(cause, requests.exceptions.ConnectTimeout) or isinstance(reason, NewConnectionError):
        where = without_password(os.environ.get(SERVER_VARIABLE, "")) or "its usual address"
        return TryLaterError(f"deepl cannot be reached at {where}")
    if isinstance(cause, requests.exceptions.Timeout):
        return TryLaterError(f"deepl gave no answer for {timeout():g} s", billed=True)
    return TryLaterError(f"deepl broke off: {message}", billed=True)


def _key() -> Secret:
    return key("deepl", _VARIABLES, _WHERE)


def _one_of(options: Options, name: str, known: tuple[str, ...]) -> str:
    value = options.text(name, "")
    if value and value not in known:
        raise InputError(f"system deepl: option {name}={value!r}; expected one of {', '.join(known)}")
    return value


def build(argument: str, options: Options) -> DeepL:
    """The service; it takes no argument."""
    if argument:
        raise InputError(f"deepl takes options only, as in deepl?formality=more, not {argument!r}")
    return DeepL(options)


SYSTEM = SystemFactory(build, __doc__)
