"""``microsoft``: Azure Translator, version 3 of its text API.

Over httpx: the protocol is one POST of a list, and the official client brings an HTTP stack of its own with it.
Options: region (else AZURE_TEXT_TRANSLATION_REGION), category (general); rate and concurrent, which change no
answer.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from epicene.errors import EpiceneError, InputError, QuotaError
from epicene.registry import Options, build_identity
from epicene.systems import SystemFactory
from epicene.systems.network.answers import dig, dig_list, read_answers
from epicene.systems.network.http import Reply
from epicene.systems.network.keys import Endpoint, ServiceKey
from epicene.systems.network.service import Answer, Limits, Vendor
from epicene.types import Pair

REGION_VARIABLE = "AZURE_TEXT_TRANSLATION_REGION"
_OWN_DOMAIN, _OWN_PATH = ".cognitiveservices.azure.", "/translator/text/v3.0"
# What the six digits of an error body say beyond the status.
_CATEGORY = "400002"
_PAIR = frozenset({"400019", "400023", "400035", "400036", "400075", "400079"})
_USED_UP = "403001"


class Microsoft(Vendor):
    """The limits lie well below what the service allows, so that little is lost with a request."""

    name = price = "microsoft"
    key = ServiceKey(
        "microsoft",
        ["AZURE_TEXT_TRANSLATION_APIKEY"],
        "at https://portal.azure.com (create a Translator resource; free: 2 million characters a month); a regional "
        f"resource also needs {REGION_VARIABLE}",
    )
    endpoint = Endpoint(
        "microsoft",
        "AZURE_TEXT_TRANSLATION_ENDPOINT",
        "https://api.cognitive.microsofttranslator.com",
        r"[\w-]+\.(cognitive\.microsofttranslator|cognitiveservices\.azure)\.(com|us|cn)",
    )

    def __init__(self, options: Options) -> None:
        self._region = options.text("region", os.environ.get(REGION_VARIABLE, ""))
        self._category = options.text("category", "general")
        self.limits = Limits(texts=100, characters=10_000, sentence=10_000, per_second=10).chosen(options)
        self.identity = build_identity("microsoft:v3", {"category": self._category, **self.endpoint.identify()})

    def address(self) -> str:
        """A resource's own domain serves many services, each at its path."""
        url = super().address()
        return url + _OWN_PATH if urlsplit(url).path == "" and _OWN_DOMAIN in url else url

    @cached_property
    def _headers(self) -> dict[str, str]:
        headers = {"Ocp-Apim-Subscription-Key": self.key.require().reveal()}
        return headers | ({"Ocp-Apim-Subscription-Region": self._region} if self._region else {})

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One request of plain text; how long each source was is asked for too, which shows answers out of place."""
        source, target = self.spell(pair)
        params = {
            "api-version": "3.0",
            "from": source,
            "to": target,
            "textType": "plain",
            "category": self._category,
            "includeSentenceLength": "true",
        }
        reply = self.http.post("/translate", [{"Text": text} for text in sources], params, self._headers)
        answers = read_answers("microsoft", reply, "*.translations.0.text", self._category)
        lengths = [dig_list(row, "translations", 0, "sentLen", "srcSentLen") for row in dig_list(reply)]
        return [answer._replace(characters=_sum(length)) for answer, length in zip(answers, lengths, strict=True)]

    def check(self, pair: Pair) -> list[str]:
        """Detects a language, which wants the key but is not charged, and reads the list of languages."""
        version = {"api-version": "3.0"}
        self.http.post("/detect", [{"Text": "She is a doctor."}], version, self._headers)
        body = self.http.get("/languages", version | {"scope": "translation"})
        languages = dig(body, "translation")
        offered = set(languages if isinstance(languages, dict) else ())
        return [
            f"key: accepted{self._region and ' in region ' + self._region}",
            self.describe_offer(pair, offered),
            "quota: not used up; how much is left is shown at https://portal.azure.com",
        ]

    def explain(self, reply: Reply) -> EpiceneError | None:
        """What the number of six digits means, the first three of which are the status."""
        code = str(dig(reply.body, "error", "code"))
        if code in _PAIR:
            return self.refuse_pair(reply.message)
        if code == _CATEGORY:
            return InputError(f"system microsoft: there is no such category ({reply.message})")
        if code == _USED_UP:
            return QuotaError("microsoft: what the subscription may translate is used up")
        return None


def _sum(lengths: list[Any]) -> int | None:
    """How long a source was that was taken for several sentences; None where that is not said."""
    return sum(lengths) if lengths and all(isinstance(length, int) for length in lengths) else None


SYSTEM = SystemFactory(lambda _, options: Microsoft(options), __doc__, bare=True)
