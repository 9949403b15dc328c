"""The model: decoding word by word is the same as all words at once, and no word sees the future."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the lab extra")

from epicene_lab.export import Int8Linear, copy_quantised
from epicene_lab.model import BEGIN, END, PAD, UNKNOWN, AverageAttention, SelfAttention, Transformer
from epicene_lab.recipe import Shape
from epicene_lab.search import decode, search
from tests.lab.conftest import TINY

pytestmark = pytest.mark.torch
SIZE = TINY["vocabulary"]


@pytest.fixture
def model(shape: Shape) -> Transformer:
    """Untrained, so that nothing is zero by accident."""
    torch.manual_seed(3)
    return Transformer(shape).eval()


def _steps(model: Transformer, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    state = model.start(source, 1)
    return torch.cat([model.step(target[:, place, None], state) for place in range(target.shape[1])], 1)


def test_word_by_word_equals_all_at_once(model: Transformer) -> None:
    source = torch.tensor([[5, 9, 30, END], [7, END, 0, 0]])
    target = torch.tensor([[BEGIN, 8, 12, 33, 9, 9], [BEGIN, 4, 5, 6, 7, 8]])
    with torch.inference_mode():
        torch.testing.assert_close(_steps(model, source, target), model(source, target), atol=2e-5, rtol=1e-4)


def test_average_attention_steps_equal_its_parallel_form() -> None:
    torch.manual_seed(5)
    layer = AverageAttention(16)
    x = torch.randn(3, 11, 16)
    cache, found = layer.start(x[:, :1]), []
    for place in range(11):
        step, cache = layer.step(x[:, place : place + 1], cache, place)
        found.append(step)
    torch.testing.assert_close(torch.cat(found, 1), layer(x), atol=1e-6, rtol=1e-5)


def test_average_attention_gates_the_mean_of_all_words_so_far() -> None:
    torch.manual_seed(5)
    layer = AverageAttention(8)
    y = torch.randn(1, 4, 8)
    for j in range(4):
        average = y[0, : j + 1].mean(0)
        gate = torch.sigmoid(layer.gate.weight @ torch.cat((y[0, j], average)))
        torch.testing.assert_close(layer(y)[0, j], gate * y[0, j] + (1 - gate) * average)


def test_average_attention_has_less_to_compute_than_attention() -> None:
    """A step multiplies with every weight once, and attention compares with all words before besides."""
    average, attention = (
        sum(part.numel() for part in kind.parameters()) for kind in (AverageAttention(64), SelfAttention(64, 4))
    )
    assert average <= attention / 2


def test_no_word_sees_the_future(model: Transformer) -> None:
    source = torch.tensor([[5, 9, 30, END]])
    one, other = torch.tensor([[BEGIN, 8, 12, 33]]), torch.tensor([[BEGIN, 8, 39, 4]])
    with torch.inference_mode():
        first, second = model(source, one), model(source, other)
    torch.testing.assert_close(first[:, :2], second[:, :2])
    assert not torch.allclose(first[:, 2], second[:, 2])


def test_padding_of_the_source_changes_nothing(model: Transformer) -> None:
    target = torch.tensor([[BEGIN, 8, 12]])
    with torch.inference_mode():
        bare = model(torch.tensor([[5, 9, END]]), target)
        padded = model(torch.tensor([[5, 9, END, 0, 0, 0]]), target)
    torch.testing.assert_close(bare, padded, atol=1e-5, rtol=1e-4)


def test_whole_number_products_are_the_same_on_both_machines() -> None:
    torch.manual_seed(1)
    layer = Int8Linear(torch.randn(24, 1024))
    x = torch.randn(5, 1024)
    scale = x.abs().amax(-1, keepdim=True) / 127
    as_on_a_gpu = torch.nn.functional.linear((x / scale).round(), layer.weight.float()) * scale * layer.scale
    torch.testing.assert_close(layer(x), as_on_a_gpu, atol=0, rtol=0)


def test_8_bit_weights_stay_close(model: Transformer) -> None:
    source, target = torch.tensor([[5, 9, 30, END]]), torch.tensor([[BEGIN, 8, 12, 33]])
    with torch.inference_mode():
        exact, rough = model(source, target), copy_quantised(model)(source, target)
    assert (exact - rough).abs().mean() < 0.05 * exact.abs().mean()
    assert not torch.equal(exact, rough)


@pytest.mark.parametrize("beams", [1, 5])
@pytest.mark.parametrize("bits", [8, 32])
def test_a_sentence_is_translated_alike_in_a_batch_and_alone(model: Transformer, beams: int, bits: int) -> None:
    model = copy_quantised(model) if bits == 8 else model
    sources = [np.array(each) for each in ([5, 9, 30, END], [7, END], [11, 12, 13, 14, 15, END])]
    together, alone = decode(model, sources, beams), decode(model, sources, beams, tokens=1)
    assert [each.tolist() for each in together] == [each.tolist() for each in alone]


def test_the_widest_beam_finds_what_trying_all_translations_finds(model: Transformer) -> None:
    source = torch.tensor([[5, 9, 30, 8, END]])
    beams = (SIZE - 2) ** 2  # all translations of up to two pieces, one of which ends it
    with torch.inference_mode():
        said = search(model, model.start(source, beams), torch.full((1, beams), BEGIN), [2])
        tried: dict[tuple[int, ...], float] = {}
        for first in [END, *range(END + 1, SIZE), UNKNOWN]:
            pieces = [first] if first == END else [first, END]
            logits = model(source, torch.tensor([[BEGIN, *pieces[:-1]]]))[0]
            logits[:, [PAD, BEGIN]] = float("-inf")
            steps = torch.log_softmax(logits, -1)
            tried[tuple(pieces[:-1])] = float(np.mean([steps[place, piece] for place, piece in enumerate(pieces)]))
    assert tuple(said[said != PAD].tolist()) == max(tried, key=tried.__getitem__)
    assert len(tried) == SIZE - 2
