"""``google``: Google Cloud Translation, v3; ``google:v2`` is Basic.

Basic is opened by an API key, v3 (Advanced) by a service account.
Over httpx, since the official client brings gRPC for what is one POST; tokens come from google-auth (extra ``google``).
Options of v3: model (general/nmt), project, location (global); of both: rate and concurrent, which change no answer.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

from epicene.errors import (
    EpiceneError,
    InputError,
    KeyRefusedError,
    MissingExtraError,
    QuotaError,
    ServiceError,
    TryLaterError,
)
from epicene.registry import Options, build_identity
from epicene.systems import SystemFactory
from epicene.systems.network.answers import dig, dig_list, dig_text, read_answers
from epicene.systems.network.http import Reply, timeout
from epicene.systems.network.keys import Endpoint, Secret, ServiceKey
from epicene.systems.network.service import Answer, Limits, Vendor
from epicene.types import Pair

_SCOPE = "https://www.googleapis.com/auth/cloud-translation"
_WHERE = "https://console.cloud.google.com/apis/credentials"
_KEY = ServiceKey("google:v2", ["GOOGLE_API_KEY"], f"at {_WHERE}")
_TOKEN = ServiceKey("google", ["GOOGLE_ACCESS_TOKEN"], f"at {_WHERE}")
_QUOTA = "quota: Google tells it only by refusing; its console shows it"


class Google(Vendor):
    """What both versions share; the limits are what Google recommends, below what it allows."""

    name = "google"
    price = "google"
    key = ServiceKey("google", ["GOOGLE_APPLICATION_CREDENTIALS"], f"at {_WHERE}", in_files=True)
    endpoint = Endpoint(
        "google",
        "GOOGLE_TRANSLATE_ENDPOINT",
        "https://translation.googleapis.com",
        r"translat(e|ion)(-[\w-]+)?\.googleapis\.com",
    )

    def __init__(self, options: Options) -> None:
        self.limits = Limits(texts=100, characters=5_000, sentence=5_000, per_second=10).chosen(options)

    def describe_offer(self, pair: Pair, offered: set[str]) -> str:
        """A line about the pair; Google takes Hebrew by either of its codes, and may list it by the former alone."""
        return super().describe_offer(pair, {"he" if code == "iw" else code for code in offered})

    def explain(self, reply: Reply) -> EpiceneError | None:
        """What an error of either version means; a rate, a quota and a bad key differ by reasons under one status."""
        error = dig(reply.body, "error")
        reasons = {dig_text(one, "reason") for one in [*dig_list(error, "errors"), *dig_list(error, "details")]}
        message = dig_text(error, "message")
        if reasons & {"API_KEY_INVALID", "keyInvalid", "keyExpired"}:
            return _KEY.refused(reply.message)
        if reasons & {"dailyLimitExceeded", "quotaExceeded"} or "Daily Limit" in message or "per day" in message:
            return QuotaError("google: what the project may translate in a day is used up")
        if reasons & {"rateLimitExceeded", "userRateLimitExceeded"} or "Rate Limit" in message:
            return TryLaterError("google: too many requests", reply.wait)
        if reply.status == 404 or (reply.status == 400 and "model" in message):
            return ServiceError(f"google: {reply.message}; are project, location and model right?")
        if reply.status == 400 and "language" in message.lower():
            return self.refuse_pair(reply.message)
        return None


class Basic(Google):
    """Version 2, opened by an API key."""

    key = _KEY

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.identity = build_identity("google:v2", {"model": "nmt", **self.endpoint.identify()})

    @cached_property
    def _headers(self) -> dict[str, str]:
        return {"X-goog-api-key": _KEY.require().reveal()}

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One request of plain text; what comes escaped nonetheless, the engine undoes."""
        source, target = self.spell(pair)
        body = {"q": list(sources), "source": source, "target": target, "format": "text", "model": "nmt"}
        reply = self.http.post("/language/translate/v2", body, headers=self._headers)
        model = dig_text(reply, "data", "translations", 0, "model") or "nmt"
        return read_answers("google", reply, "data.translations.*.translatedText", model)

    def check(self, pair: Pair) -> list[str]:
        """The list of languages, which costs nothing but wants the key."""
        body = self.http.get("/language/translate/v2/languages", params={"model": "nmt"}, headers=self._headers)
        offered = {dig_text(one, "language") for one in dig_list(body, "data", "languages")}
        return ["key: accepted", self.describe_offer(pair, offered), _QUOTA]


class Advanced(Google):
    """Version 3, opened by a token."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._model = options.text("model", "general/nmt")
        self._location = options.text("location", "global")
        self._project = options.text("project", os.environ.get("GOOGLE_CLOUD_PROJECT", ""))
        if self._model.endswith("translation-llm"):
            self.price = "google-llm"
        self._token = Token()
        self.identity = build_identity("google:v3", {"model": self._model, **self.endpoint.identify()})

    def ask(self, sources: Sequence[str], pair: Pair) -> list[Answer]:
        """One request of plain text."""
        source, target = self.spell(pair)
        headers, parent = self._open_request()
        body = {
            "contents": list(sources),
            "mimeType": "text/plain",
            "sourceLanguageCode": source,
            "targetLanguageCode": target,
            "model": f"{parent}/models/{self._model}",
        }
        reply = self.http.post(f"/v3/{parent}:translateText", body, headers=headers)
        model = dig_text(reply, "translations", 0, "model").rpartition("/models/")[2] or self._model
        return read_answers("google", reply, "translations.*.translatedText", model)

    def check(self, pair: Pair) -> list[str]:
        """The list of the model's languages, which costs nothing but wants the token."""
        headers, parent = self._open_request()
        params = {"model": f"{parent}/models/{self._model}"}
        body = self.http.get(f"/v3/{parent}/supportedLanguages", params=params, headers=headers)
        offered = {dig_text(one, "languageCode") for one in dig_list(body, "languages")}
        return [f"token: accepted for {parent}", self.describe_offer(pair, offered), _QUOTA]

    def _open_request(self) -> tuple[dict[str, str], str]:
        """The headers of a request, and whose it is."""
        token = self._token.text()
        project = self._project or self._token.project
        if not project:
            raise InputError("google: name your project in GOOGLE_CLOUD_PROJECT, or as in google?project=my-project")
        headers = {"Authorization": f"Bearer {token}"}
        if payer := self._token.payer or (project if self._token.provided else ""):
            headers["x-goog-user-project"] = payer
        return headers, f"projects/{project}/locations/{self._location}"


class Token:
    """An access token: the one that the user has, or one that google-auth gets and renews."""

    def __init__(self) -> None:
        self.project = ""  # of the service account
        self.payer = ""  # the project that a person's own credentials name
        self._lock = threading.Lock()
        self._credentials: Any = None

    @cached_property
    def provided(self) -> Secret | None:
        """One that the user has; it may be a person's and then needs a project that pays."""
        return _TOKEN.find()

    def text(self) -> str:
        """A token that is still good."""
        if self.provided:
            return self.provided.reveal()
        with self._lock:
            return Secret(self._renew(), "GOOGLE_APPLICATION_CREDENTIALS").reveal()

    def _renew(self) -> str:
        try:
            import google.auth
            from google.auth import exceptions
            from google.auth.transport.requests import Request
        except ImportError:
            raise MissingExtraError("system google (version 3)", "google") from None
        try:
            if self._credentials is None:
                self._credentials, project = google.auth.default(scopes=[_SCOPE])
                self.project, self.payer = project or "", self._credentials.quota_project_id or ""
            if not self._credentials.valid:
                self._credentials.refresh(partial(Request(), timeout=timeout()))
        except exceptions.DefaultCredentialsError:
            raise KeyRefusedError(
                "google needs credentials: set GOOGLE_APPLICATION_CREDENTIALS to the file of a service account, or use "
                f"google:v2 with an API key in GOOGLE_API_KEY; get one at {_WHERE}"
            ) from None
        except exceptions.TransportError:
            raise TryLaterError("google: the server that gives out tokens cannot be reached") from None
        except exceptions.GoogleAuthError:
            raise KeyRefusedError("google refuses the credentials in GOOGLE_APPLICATION_CREDENTIALS") from None
        return str(self._credentials.token)


def build(argument: str, options: Options) -> Google:
    """The system: version 3, or 2 where it is named."""
    if argument not in {"", "v2", "v3"}:
        raise InputError(f"google:{argument}: the versions are google (v3) and google:v2")
    return Basic(options) if argument == "v2" else Advanced(options)


SYSTEM = SystemFactory(build, __doc__)
