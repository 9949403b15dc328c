"""What tests of systems share."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.store.cache import Cache


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache.sqlite")
