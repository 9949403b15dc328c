"""The model: decoding word by word is the same as all words at once, and no word sees the future."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the lab extra")

from epicene_lab.export import Int8Linear, copy_quantised
from epicene_lab.model import BEGIN, END, AverageAttention, Transformer
from epicene_lab.recipe import Shape
from epicene_lab.search import decode

pytestmark = pytest.mark.torch


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
    layer = AverageAttention(16, 24)
    x = torch.randn(3, 11, 16)
    cache, found = layer.start(x[:, :1]), []
    for place in range(11):
        step, cache = layer.step(x[:, place : place + 1], cache)
        found.append(step)
    torch.testing.assert_close(torch.cat(found, 1), layer(x), atol=1e-6, rtol=1e-5)


def test_average_attention_is_the_published_formula() -> None:
    """Zhang et al. 2018, equations 1 to 4: the mean of y_1 … y_j through a feed-forward layer, then gated with y_j."""
    torch.manual_seed(5)
    layer = AverageAttention(8, 12)
    y = torch.randn(1, 4, 8)
    for j in range(4):
        g = torch.relu(y[0, : j + 1].mean(0) @ layer.up.weight.T) @ layer.down.weight.T
        i, f = torch.sigmoid(torch.cat((y[0, j], g)) @ layer.gate.weight.T).split(8)
        torch.testing.assert_close(layer(y)[0, j], i * y[0, j] + f * g)


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


def test_a_wider_beam_finds_no_worse_a_translation(model: Transformer) -> None:
    source = np.array([5, 9, 30, 8, END])

    def score(pieces: np.ndarray) -> float:
        target = torch.tensor([[BEGIN, *pieces, END]])
        with torch.inference_mode():
            steps = torch.log_softmax(model(torch.from_numpy(source)[None], target[:, :-1]), -1)
        return float(steps[0].gather(1, target[0, 1:, None]).mean())

    assert score(decode(model, [source], 8)[0]) >= score(decode(model, [source], 1)[0]) - 1e-6
