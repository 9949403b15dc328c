"""``amazon``: Amazon Translate, through boto3 (extra ``amazon``).

The official library, since it finds the keys and signs the requests as AWS wants it.
Keys and region come from wherever AWS tools look: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, a role.
Options: region, terminology (names, with commas between), formality (FORMAL, INFORMAL); rate and concurrent, which
change no answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from epicene.errors import (
    InputError,
    KeyRefusedError,
    MissingExtraError,
    QuotaError,
    RefusedError,
    ServiceError,
    TryLaterError,
)
from epicene.spec import Options
from epicene.systems import SystemFactory
from epicene.systems.network import codes as _service_codes
from epicene.systems.network.http import garbled, said, seconds, timeout
from epicene.systems.network.keys import Secret, fit
from epicene.systems.network.replies import answers, dig, every
from epicene.systems.network.service import Answer, Limits, Service
from epicene.types import Pair

_MOST_BYTES = 10_000
_WHERE = "https://console.aws.amazon.com/iam (a user with the policy TranslateReadOnly)"
_KEYS = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
_KEY = frozenset({
    "UnrecognizedClientException", "InvalidSignatureException", "ExpiredTokenException", "ExpiredToken",
    "AccessDeniedException", "IncompleteSignature", "InvalidClientTokenId", "MissingAuthenticationTokenException",
    "OptInRequired", "SubscriptionRequiredException",
})  # fmt: skip
_LATER = frozenset({
    "ThrottlingException", "TooManyRequestsException", "InternalServerException", "InternalFailure",
    "ServiceUnavailableException", "ServiceUnavailable", "RequestTimeout", "RequestExpired",
})  # fmt: skip


class Amazon(Service):
    """One text a request, as the service wants it."""

    price = "amazon"

    def __init__(self, options: Options) -> None:
        self._region = options.text("region", "")
        self._terminology = [name for name in options.text("terminology", "").split(",") if name]
        self._formality = options.text("formality", "").upper()
        if self._formality not in {"", "FORMAL", "INFORMAL"}:
            raise InputError(f"system amazon: option formality={self._formality!r} must be FORMAL or INFORMAL")
        limits = Limits(texts=1, characters=_MOST_BYTES, sentence=_MOST_BYTES, per_second=20, concurrent=8)
        self.limits = limits.chosen(options)
        chosen = {"terminology": ",".join(self._terminology), "formality": self._formality}
        given = "&".join(f"{name}={value}" for name, value in chosen.items() if value)
        self.identity = f"amazon?{given}" if given else "amazon"
        self._lock = threading.Lock()
        self._opened: Any = None

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One text, translated."""
        source, target = _service_codes.spelled("amazon", pair)
        (text,) = sources
        if len(text.encode()) > _MOST_BYTES:
            raise RefusedError(f"amazon takes {_MOST_BYTES} bytes at most; this sentence has {len(text.encode())}")
        request: dict[str, Any] = {"Text": text, "SourceLanguageCode": source, "TargetLanguageCode": target}
        if self._terminology:
            request["TerminologyNames"] = self._terminology
        if self._formality:
            request["Settings"] = {"Formality": self._formality}
        found = self._call(lambda client: client.translate_text(**request))
        return answers("amazon", [dig(found, "TranslatedText")])

    def accepts(self, pair: Pair) -> None:
        """Refuse a language that it does not have."""
        _service_codes.spelled("amazon", pair)

    def check(self, pair: Pair) -> list[str]:
        """The list of languages, which costs nothing but wants the keys."""
        offered: set[str] = set()
        page: dict[str, str] = {}
        while True:
            found = self._call(lambda client: client.list_languages(**page))  # noqa: B023 - called at once
            offered |= {str(dig(one, "LanguageCode")) for one in every(found, "Languages")}
            if not dig(found, "NextToken"):
                break
            page = {"NextToken": found["NextToken"]}
        region = self._client().meta.region_name
        quota = "quota: Amazon charges what is used; its console shows it"
        return [f"keys: accepted in region {region}", _service_codes.listed("amazon", pair, offered), quota]

    def _client(self) -> Any:
        with self._lock:
            if self._opened is None:
                self._opened = self._open()
            return self._opened

    def _open(self) -> Any:
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
                raise KeyRefusedError(f"amazon needs keys: set {_KEYS}, or a profile. Get them at {_WHERE}")
            if not session.region_name:
                raise InputError("amazon needs a region: set AWS_DEFAULT_REGION, or as in amazon?region=eu-west-1")
            for text in credentials.get_frozen_credentials():
                if isinstance(text, str) and text:
                    fit(Secret(text, _KEYS))
            config = Config(
                retries={"total_max_attempts": 1, "mode": "standard"},  # patience is the engine's
                connect_timeout=timeout(),
                read_timeout=timeout(),
                max_pool_connections=self.limits.concurrent,
            )
            return session.client("translate", config=config)
        except BotoCoreError as error:
            raise InputError(f"amazon: {said(str(error))}") from None
        except ValueError:  # its message shows the address, and a password in it
            raise InputError("amazon: AWS_ENDPOINT_URL or AWS_ENDPOINT_URL_TRANSLATE is no address") from None

    def _call(self, request: Callable[[Any], Any]) -> Any:
        client = self._client()
        from botocore.exceptions import BotoCoreError, ClientError, ConnectTimeoutError, EndpointConnectionError

        try:
            return request(client)
        except ClientError as error:
            raise _failure(error.response) from None
        except (ConnectTimeoutError, EndpointConnectionError) as error:
            raise TryLaterError(f"amazon cannot be reached: {said(str(error))}") from None
        except BotoCoreError as error:
            raise TryLaterError(f"amazon broke off: {said(str(error))}", billed=True) from None
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            raise garbled("amazon", str(error)) from None


def _failure(response: Any) -> ServiceError | InputError:
    """What Amazon's name for an error means; the status decides for names that are not listed here."""
    name, status = str(dig(response, "Error", "Code")), dig(response, "ResponseMetadata", "HTTPStatusCode") or 500
    message = said(str(dig(response, "Error", "Message") or name))
    if name == "UnsupportedLanguagePairException":
        return _service_codes.unsupported("amazon", message)
    if name in _KEY or status in {401, 403}:
        return KeyRefusedError(f"amazon does not accept the keys ({message}); set {_KEYS}. Get them at {_WHERE}")
    if name in {"LimitExceededException", "ServiceQuotaExceededException"}:
        return QuotaError(f"amazon: what the account may translate is used up ({message})")
    if name in _LATER or "Throttl" in name or status == 429 or status >= 500:
        headers = dig(response, "ResponseMetadata", "HTTPHeaders") or {}
        return TryLaterError(f"amazon answered {name}: {message}", seconds(headers.get("retry-after")))
    if name == "ResourceNotFoundException":
        return ServiceError(f"amazon: {message}")
    return RefusedError(f"amazon answered {name}: {message}")


def build(argument: str, options: Options) -> Amazon:
    """The service; it takes no argument."""
    if argument:
        raise InputError(f"amazon takes options only, as in amazon?region=eu-west-1, not {argument!r}")
    return Amazon(options)


SYSTEM = SystemFactory(build, __doc__)
