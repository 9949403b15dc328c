"""``deepl``: DeepL's API, free or pro (extra ``services``).

Over httpx: DeepL's own library has no deadline for a whole answer and no bound on its size.
Key: DEEPL_AUTH_KEY. Options: formality, model_type, glossary (its id), variant (such as en-gb, pt-br); rate and
concurrent, which change no answer. DEEPL_SERVER_URL names another server. Takes ``--context given``.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

from epicene.errors import EpiceneError, InputError, KeyRefusedError, QuotaError, RefusedError
from epicene.registry import Options, build_identity
from epicene.systems import SystemFactory
from epicene.systems.network.answers import dig, dig_list, dig_text, read_answers
from epicene.systems.network.http import Reply
from epicene.systems.network.keys import Endpoint, ServiceKey
from epicene.systems.network.service import Answer, Limits, Service
from epicene.types import Pair, Request

_WHERE = "https://www.deepl.com/your-account/keys"
_PRO, _FREE = "https://api.deepl.com", "https://api-free.deepl.com"
_USED_UP = 456
# The API takes 50 texts and 128 KiB at once; a character may take six bytes of JSON. It names no rate.
_LIMITS = Limits(texts=50, characters=20_000, sentence=20_000, per_second=10, concurrent=4)
# DeepL translates into a variant of these, never into the plain language.
_VARIANTS = {"en": "en-us", "pt": "pt-br"}
_FORMALITIES = ("default", "more", "less", "prefer_more", "prefer_less")
_MODELS = ("latency_optimized", "quality_optimized", "prefer_quality_optimized")


class DeepL(Service):
    """Looks for its key when the first request is made."""

    name = "deepl"
    key = ServiceKey("deepl", ("DEEPL_AUTH_KEY", "DEEPL_API_KEY"), f"at {_WHERE}")

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
            **self._endpoint(_PRO).identify(),
        }
        self.identity = build_identity("deepl", chosen)
        self._contextual = False

    def with_context(self) -> DeepL:
        """The same, asked sentence by sentence with what stands before each, which costs nothing."""
        other = copy(self)
        other._contextual = True
        other.limits = replace(self.limits, texts=1)
        other.identity = f"{self.identity}{'&' if '?' in self.identity else '?'}context=given"
        return other

    @cached_property
    def price(self) -> str:  # type: ignore[override]
        """Keys of the free plan end in ``:fx``; without a key, the price of the other plan is named."""
        try:
            free = self.key.require().reveal().endswith(":fx")
        except KeyRefusedError:
            free = False
        return "deepl-free" if free else "deepl"

    def address(self) -> str:
        """That of the key's plan, unless a variable names another."""
        return self._endpoint(_FREE if self.price == "deepl-free" else _PRO).url()

    def _endpoint(self, usual: str) -> Endpoint:
        return Endpoint("deepl", "DEEPL_SERVER_URL", usual, r"api(-[\w-]+)?\.deepl\.com")

    @cached_property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"DeepL-Auth-Key {self.key.require().reveal()}"}

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One request for texts; how many characters each is billed as is asked for too."""
        requests = list(map(self._read, sources))
        chosen = {
            "formality": self._formality,
            "model_type": self._model,
            "glossary_id": self._glossary,
            "context": requests[0].context,  # with which each sentence has a request of its own
        }
        body = {
            "text": [request.text for request in requests],
            "source_lang": pair.source.upper(),
            "target_lang": self._target(pair).upper(),
            "show_billed_characters": True,
            **{name: value for name, value in chosen.items() if value},
        }
        try:
            reply = self.http.post("/v2/translate", body, headers=self._headers)
        except RefusedError as error:
            raise (self._wrong_pair(pair, str(error)) if "_lang" in str(error) else error) from None
        return [
            answer._replace(model=dig_text(row, "model_type_used"), characters=self._length(row))
            for answer, row in zip(
                read_answers("deepl", reply, "translations.*.text"), dig_list(reply, "translations"), strict=True
            )
        ]

    def _length(self, row: Any) -> int | None:
        """How long a source was; with context, of which nothing is said, that tells no answers apart."""
        return None if self._contextual else _count(dig(row, "billed_characters"))

    def billed(self, source: str) -> int:
        """The sentence alone."""
        return len(self._read(source).text)

    def _read(self, source: str) -> Request:
        return Request.parse(source) if self._contextual else Request(source)

    def accepts(self, pair: Pair) -> None:
        """Refuse a variant of another language."""
        self._target(pair)

    def check(self, pair: Pair) -> list[str]:
        """Asks for the quota and for the languages."""
        usage = self.http.get("/v2/usage", headers=self._headers)
        self._check_pair(pair)
        count, limit = _count(dig(usage, "character_count")) or 0, _count(dig(usage, "character_limit"))
        left = f"{count:,} of {limit:,} characters used" if limit else f"{count:,} characters used, no limit"
        if limit is not None and count >= limit:
            raise QuotaError(f"deepl: nothing is left of this month's quota: {left}; see {_WHERE}")
        plan = "free" if self.price == "deepl-free" else "pro"
        return [f"key: accepted ({plan} plan)", f"quota: {left}", f"pair: {pair}, as {self._target(pair).upper()}"]

    def _target(self, pair: Pair) -> str:
        if self._variant and not self._variant.startswith(pair.target):
            raise InputError(f"system deepl: variant {self._variant} is no variant of {pair.target}")
        return self._variant or _VARIANTS.get(pair.target, pair.target)

    def _languages(self, kind: str) -> set[str]:
        body = self.http.get("/v2/languages", {"type": kind}, headers=self._headers)
        return {dig_text(row, "language").lower() for row in dig_list(body)}

    def _check_pair(self, pair: Pair) -> None:
        known = {"from": self._languages("source"), "into": self._languages("target")}
        for direction, code in (("from", pair.source), ("into", self._target(pair))):
            if code not in known[direction]:
                codes = ", ".join(sorted(known[direction]))
                raise InputError(f"deepl does not translate {direction} {code}; it does {direction}: {codes}")

    def explain(self, reply: Reply) -> EpiceneError | None:
        """What a quota that is used up means."""
        if reply.status == _USED_UP:
            return QuotaError(f"deepl: this month's quota is used up ({reply.message}); see {_WHERE}")
        return None

    def _wrong_pair(self, pair: Pair, message: str) -> EpiceneError:
        try:
            self._check_pair(pair)
        except EpiceneError as error:
            return error
        return InputError(f"deepl does not translate {pair}: {message}")


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def _one_of(options: Options, name: str, known: tuple[str, ...]) -> str:
    value = options.text(name, "")
    if value and value not in known:
        raise InputError(f"system deepl: option {name}={value!r}; expected one of {', '.join(known)}")
    return value


SYSTEM = SystemFactory(lambda _, options: DeepL(options), __doc__, bare=True)
