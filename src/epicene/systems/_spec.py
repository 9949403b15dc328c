"""The options of systems; recognisers and voices read theirs the same way."""

from __future__ import annotations

from epicene.spec import Options, parse

__all__ = ["Options", "parse"]
