"""``amazon``: Amazon Translate (extra ``amazon``).

The official library finds the keys and the address and signs the requests as AWS wants it; they are sent over httpx,
since the library has no deadline for a whole answer and no bound on its size.
Keys and region come from wherever AWS tools look: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, a role.
Options: region, terminology (names, with commas between), formality (FORMAL, INFORMAL); rate and concurrent, which
change no answer.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from epicene.errors import (
    EpiceneError,
    InputError,
    KeyRefusedError,
    MissingExtraError,
    QuotaError,
    RefusedError,
    ServiceError,
    TryLaterError,
)
from epicene.registry import Options, build_identity
from epicene.systems import SystemFactory
from epicene.systems.network.answers import dig, dig_list, dig_text, read_answers
from epicene.systems.network.http import Http, Reply, error_message, timeout
from epicene.systems.network.keys import Endpoint, Secret, ServiceKey, check_key, without_password
from epicene.systems.network.service import Answer, Limits, Vendor
from epicene.types import Pair

_MOST_BYTES = 10_000
_MOST_PAGES = 20  # of the list of languages
_OPERATION = "AWSShineFrontendService_20170701."
_ADDRESSES = ("AWS_ENDPOINT_URL_TRANSLATE", "AWS_ENDPOINT_URL")
_HOSTS = r"translate(-fips)?\.[\w-]+\.(amazonaws\.com(\.cn)?|api\.aws)"
_KEY_ERRORS = frozenset({
    "UnrecognizedClientException", "InvalidSignatureException", "ExpiredTokenException", "ExpiredToken",
    "AccessDeniedException", "IncompleteSignature", "InvalidClientTokenId", "MissingAuthenticationTokenException",
    "OptInRequired", "SubscriptionRequiredException",
})  # fmt: skip
_LATER = frozenset({
    "ThrottlingException", "TooManyRequestsException", "InternalServerException", "InternalFailure",
    "ServiceUnavailableException", "ServiceUnavailable", "RequestTimeout", "RequestExpired",
})  # fmt: skip


class Amazon(Vendor):
    """One text a request, as the service wants it."""

    name = price = "amazon"
    key = ServiceKey(
        "amazon",
        ["AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"],
        "at https://console.aws.amazon.com/iam (a user with the policy TranslateReadOnly)",
        in_files=True,
    )

    def __init__(self, options: Options) -> None:
        self._region = options.text("region", "")
        self._terminology = [name for name in options.text("terminology", "").split(",") if name]
        self._formality = options.text("formality", "").upper()
        if self._formality not in {"", "FORMAL", "INFORMAL"}:
            raise InputError(f"system amazon: option formality={self._formality!r} must be FORMAL or INFORMAL")
        limits = Limits(texts=1, characters=_MOST_BYTES, sentence=_MOST_BYTES, per_second=20, concurrent=8)
        self.limits = limits.chosen(options)
        chosen = {"terminology": ",".join(self._terminology), "formality": self._formality, **_describe_endpoint()}
        self.identity = build_identity("amazon", chosen)
        self._lock = threading.Lock()
        self._opened: Opened | None = None

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One text, translated."""
        source, target = self.spell(pair)
        (text,) = sources
        if len(text.encode()) > _MOST_BYTES:
            raise RefusedError(f"amazon takes {_MOST_BYTES} bytes at most; this sentence has {len(text.encode())}")
        request: dict[str, Any] = {"Text": text, "SourceLanguageCode": source, "TargetLanguageCode": target}
        if self._terminology:
            request["TerminologyNames"] = self._terminology
        if self._formality:
            request["Settings"] = {"Formality": self._formality}
        body = self._call("TranslateText", request)
        return read_answers("amazon", body, "TranslatedText")

    def check(self, pair: Pair) -> list[str]:
        """The list of languages, which costs nothing but wants the keys."""
        offered: set[str] = set()
        page: dict[str, str] = {}
        for _ in range(_MOST_PAGES):
            body = self._call("ListLanguages", page)
            offered |= {str(dig(one, "LanguageCode")) for one in dig_list(body, "Languages")}
            if not dig_text(body, "NextToken"):
                break
            page = {"NextToken": body["NextToken"]}
        quota = "quota: Amazon charges what is used; its console shows it"
        region = self._client().region
        return [f"keys: accepted in region {region}", self.describe_offer(pair, offered), quota]

    def explain(self, reply: Reply) -> EpiceneError | None:
        """What the name of an error means, by which errors differ under one status."""
        named = dig_text(reply.body, "__type") or reply.headers.get("x-amzn-errortype", "")
        name = named.rpartition("#")[2].partition(":")[0] or str(reply.status)
        message = error_message(dig_text(reply.body, "message") or dig_text(reply.body, "Message") or name)
        if name == "UnsupportedLanguagePairException":
            return self.refuse_pair(message)
        if name in _KEY_ERRORS:
            return self.key.refused(message)
        if name in {"LimitExceededException", "ServiceQuotaExceededException"}:
            return QuotaError(f"amazon: what the account may translate is used up ({message})")
        if name in _LATER or "Throttl" in name:
            return TryLaterError(f"amazon answered {name}: {message}", reply.wait, status=reply.status)
        if name == "ResourceNotFoundException":
            return ServiceError(f"amazon: {message}")
        return None

    def _client(self) -> Opened:
        with self._lock:
            if self._opened is None:
                self._opened = self._open()
            return self._opened

    def _open(self) -> Opened:
        try:
            import boto3
            from botocore.config import Config
            from botocore.exceptions import BotoCoreError
        except ImportError:
            raise MissingExtraError("system amazon", "amazon") from None
        try:
            session = boto3.Session(region_name=self._region or None)
            credentials = session.get_credentials()
            if credentials is None:
                raise KeyRefusedError(
                    f"amazon needs keys: set {self.key.variables[0]}, or a profile; get one {self.key.get}"
                )
            if not session.region_name:
                raise InputError("amazon needs a region: set AWS_DEFAULT_REGION, or as in amazon?region=eu-west-1")
            for text in credentials.get_frozen_credentials():
                if isinstance(text, str) and text:
                    check_key(Secret(text, self.key.variables[0]))
            config = Config(connect_timeout=timeout(), read_timeout=timeout())
            url = session.client("translate", config=config).meta.endpoint_url.rstrip("/")
            if "at=" not in self.identity and not re.fullmatch(_HOSTS, urlsplit(url).hostname or ""):
                raise InputError(
                    f"amazon: AWS's files name another server, {without_password(url)}; name it in {_ADDRESSES[0]}, so "
                    "that its answers are not taken for Amazon's"
                )
            return Opened(Http("amazon", url, self.key, self.explain), url, session.region_name, credentials)
        except BotoCoreError as error:
            raise InputError(f"amazon: {error_message(str(error))}") from None
        except ValueError:  # its message shows the address, and a password in it
            raise InputError("amazon: AWS_ENDPOINT_URL or AWS_ENDPOINT_URL_TRANSLATE is no address") from None

    def _call(self, operation: str, request: dict[str, Any]) -> Any:
        opened = self._client()
        body = json.dumps(request).encode()
        return opened.http.send("POST", "/", content=body, headers=opened.sign(operation, body))


class Opened(NamedTuple):
    """The connection, and what a request is signed with."""

    http: Http
    url: str
    region: str
    credentials: Any  # of botocore's, which renews them where they are a role's

    def sign(self, operation: str, body: bytes) -> dict[str, str]:
        """The headers of a request, its signature among them."""
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest
        from botocore.exceptions import BotoCoreError

        headers = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": _OPERATION + operation}
        request = AWSRequest("POST", f"{self.url}/", headers, body)
        try:
            SigV4Auth(self.credentials.get_frozen_credentials(), "translate", self.region).add_auth(request)
        except BotoCoreError as error:
            raise Amazon.key.refused(error_message(str(error))) from None
        return dict(request.headers)


def _describe_endpoint() -> dict[str, str]:
    """What the identity says of an address that is not Amazon's: that of a variable, or of AWS's own files."""
    if os.environ.get("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "").lower() == "true":
        return {}
    variable = next(filter(os.environ.get, _ADDRESSES), "")
    return Endpoint("amazon", variable, "", _HOSTS).identify()


SYSTEM = SystemFactory(lambda _, options: Amazon(options), __doc__, bare=True)
