"""A tiny model, as the lab trains it."""

from tests.lab.stages.conftest import models, pairs  # noqa: F401 - fixtures
