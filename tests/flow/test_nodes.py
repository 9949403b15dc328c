"""A cluster of three nodes, each in a network of its own, loses one in the middle of a run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("ray")

from benchmarks import cluster as nodes

pytestmark = pytest.mark.ray


@pytest.fixture(scope="module", autouse=True)
def networks() -> None:
    if reason := nodes.reason_not_to_run():
        pytest.skip(reason)


@pytest.mark.parametrize("lose", [nodes.Node.kill, nodes.Node.unplug], ids=["killed", "unplugged"])
def test_a_lost_node_costs_its_shard_and_changes_nothing(lose: Callable[[nodes.Node], None], tmp_path: Path) -> None:
    found = nodes.run(lose, tmp_path)
    assert found.same
    assert 0 < found.held <= found.again <= nodes.SHARD


def test_nothing_of_the_networks_is_left() -> None:
    assert f"epicene-{os.getpid()}" not in nodes._ip("netns", "list").stdout
