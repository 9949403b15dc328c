"""All errors, as one tree.

EpiceneError                 one line for the user; ``exit_code`` is the exit code of the command
├── InputError (2)           a file, a line or an option is invalid
│   ├── UnknownNameError     no set, language, system … has this name
│   ├── MissingExtraError    an optional dependency is not installed
│   └── DataMissingError     a published set is not on this machine
├── EvidenceError (3)        too little evidence to answer
│   └── BudgetError          the next request would exceed the budget
├── SystemFailure (4)        a translator or another backend failed
│   └── ServiceError         a service failed
│       ├── TryLaterError    temporary: too many requests, an overloaded or unreachable server, half an answer
│       │   └── MalformedError  the answer has the wrong format
│       ├── RefusedError     the service refuses one of these sentences
│       ├── KeyRefusedError  the key is missing, wrong or has expired
│       └── QuotaError       the quota of the account is used up
└── StoreError (4)           results cannot be stored: disk full, a folder of a newer version
"""

from __future__ import annotations

from collections.abc import Iterable


def first_line(error: Exception) -> str:
    """What an error of another library says, on one line; the name of its class where it says nothing."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


class EpiceneError(Exception):
    """The root of all errors that epicene raises on purpose."""

    exit_code = 2

    def __str__(self) -> str:
        """The message for a caller in Python; the command line prints ``args[0]``, which names options of its own."""
        return (
            str(self.args[0] if self.args else "").replace("--anyway", "anyway=True").replace("--force", "force=True")
        )


class InputError(EpiceneError):
    """The user's input is refused."""


class UnknownNameError(InputError):
    """A name that is not registered; the message lists the known ones and the nearest."""

    def __init__(self, kind: str, name: str, known: Iterable[str], hint: str = "") -> None:
        import difflib

        names = sorted(known)
        near = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
        guess = f" Did you mean {near[0]!r}?" if near else ""
        super().__init__(f"unknown {kind} {name!r}.{guess} Known: {', '.join(names)}.{hint and ' ' + hint}")


class MissingExtraError(InputError):
    """An optional dependency is not installed."""

    def __init__(self, what: str, extra: str, package: str = "epicene") -> None:
        super().__init__(f"{what} needs an extra that is not installed. Run: pip install '{package}[{extra}]'")


class DataMissingError(InputError):
    """Published data that is not on this machine yet."""


class EvidenceError(EpiceneError):
    """The evidence does not suffice for an answer."""

    exit_code = 3


class BudgetError(EvidenceError):
    """What may be spent does not suffice."""


class SystemFailure(EpiceneError):  # noqa: N818 - the tree reads better
    """A translator or another backend failed."""

    exit_code = 4


class StoreError(EpiceneError):
    """Results cannot be kept or read back."""

    exit_code = 4


class ServiceError(SystemFailure):
    """A service did not answer as it was asked."""


class TryLaterError(ServiceError):
    """The same request may work later; ``after`` is how many seconds the service itself named.

    ``billed``: it was perhaps charged, since the answer was lost or garbled on its way and not refused.
    ``status``: what the server answered over HTTP, if it answered at all.
    """

    def __init__(
        self, message: str, after: float | None = None, billed: bool = False, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.after = after
        self.billed = billed
        self.status = status


class MalformedError(TryLaterError):
    """The service answered, but not in the form that was expected; it was perhaps charged."""

    def __init__(self, message: str) -> None:
        super().__init__(message, billed=True)


class RefusedError(ServiceError):
    """The service takes this request at no time; asked one by one, its other sentences may pass.

    ``billed``: it was charged, since what was refused is an answer, such as that of a model that declines.
    """

    def __init__(self, message: str, billed: bool = False) -> None:
        super().__init__(message)
        self.billed = billed


class KeyRefusedError(ServiceError):
    """The service does not accept the key."""


class QuotaError(ServiceError):
    """The account has nothing left to spend."""
