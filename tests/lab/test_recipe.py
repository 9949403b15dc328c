"""Recipes: the paper's architectures, and sizes that cannot be are refused with one line."""

from __future__ import annotations

import pytest

from epicene.errors import InputError
from epicene_lab import recipe


def test_the_paper_trains_fourteen_architectures() -> None:
    found = recipe.load("paper")
    layers = [(6, 6), (8, 4), (10, 2), (11, 1), (6, 4), (6, 2), (6, 1)]  # section 4
    assert [(each.encoder, each.decoder, each.aan) for each in found.shapes] == [
        (*each, aan) for aan in (False, True) for each in layers
    ]


def test_all_shipped_recipes_can_be_read() -> None:
    for name in recipe.list_names():
        assert recipe.load(name).shapes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[model]\ndim = 250\nheads = 4", "250 cannot be split over heads = 4"),
        ("[model]\nencoder = 0", "encoder = 0; expected more than 0"),
        ("[model]\nencoder = 99", "at most 48"),
        ("[model]\ndim = '256'", "expected int"),
        ("[model]\nlayers = 6", "unknown r.toml .model.: key 'layers'"),
        ("[training]\ndropout = 1.5", "dropout = 1.5"),
        ("[training]\nbatch_tokens = 10", "holds no pair"),
        ("layers = [[6]]", "expected pairs such as"),
        ("decoders = ['mean']", "unknown r.toml: decoder 'mean'"),
        ("[model", "r.toml: "),
    ],
)
def test_impossible_sizes_are_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        recipe.parse(text, "r", "r.toml")


def test_an_unknown_recipe_lists_the_known() -> None:
    with pytest.raises(InputError, match="Did you mean 'paper'"):
        recipe.load("papper")
