"""Student's distribution: how likely a value below t is, and which t has a probability below it.

Agrees with SciPy to 1e-9, far out in the tails too, and costs a plain install no SciPy.
"""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_NODES = 128  # at which the density is evaluated
_NOTHING = 42.0  # a density this much less than another, in logarithms, adds nothing to it
_MOST_STEPS = 30  # of Newton's method; it takes about five
_STEPS_TO_NODES = 4  # of the same, from Tricomi's guesses at the nodes


def student_cdf(df: Array | float, t: Array | float) -> Array:
    """The probability of a value below t with so many degrees of freedom, whole or not."""
    df, t = np.broadcast_arrays(np.asarray(df, dtype=np.float64), np.asarray(t, dtype=np.float64))
    tail = _tail(df, np.abs(t))
    return np.where(t > 0, 1 - tail, tail)


def student_quantile(df: Array | float, p: float) -> Array:
    """The t that a share p of values lies below."""
    df = np.asarray(df, dtype=np.float64)
    if p == 0.5:
        return np.zeros_like(df)
    wanted = min(p, 1 - p)
    z = -NormalDist().inv_cdf(wanted)
    # Newton's method on logarithms of both: the tail bends one way there, so no step leads astray.
    place = np.log(z + z * (z * z + 1) / (4 * df))
    for _ in range(_MOST_STEPS):
        t = np.exp(place)
        tail = _tail(df, t)
        step = tail * np.log(tail / wanted) / (t * _density(df, t))
        place = place + step
        if not (np.abs(step) > 1e-12).any():
            break
    return np.copysign(np.exp(place), p - 0.5)


def _density(df: Array, t: Array) -> Array:
    logs = _log_gamma_ratio(df / 2) - 0.5 * np.log(math.pi * df) - (df + 1) / 2 * np.log1p(t * t / df)
    density: Array = np.exp(logs)
    return density


def _tail(df: Array, t: Array) -> Array:
    """The probability of a value above t, which is not negative.

    With t = sqrt(df) / tan(u) the density becomes a power of sin(u) between 0 and an angle, which Gauss's quadrature
    integrates to the last digits.
    """
    power = df[..., None] - 1
    angle = np.arctan2(np.sqrt(df), t)[..., None]
    with np.errstate(divide="ignore"):
        lowest = np.arcsin(np.sin(angle) * np.exp(-_NOTHING / power))
    nodes, weights = _quadrature()
    angles = lowest + (angle - lowest) * nodes
    # The logarithm of the sine, in the form that loses no digits.
    with np.errstate(divide="ignore"):
        logs = np.where(angles < 1, np.log(np.sin(angles)), 0.5 * np.log1p(-(np.cos(angles) ** 2)))
        densities = np.where(power == 0, 1.0, np.exp(power * logs))
    integral = (densities * weights).sum(axis=-1) * (angle - lowest)[..., 0]
    tail: Array = np.exp(_log_gamma_ratio(df / 2)) / math.sqrt(math.pi) * integral
    return tail


@cache
def _quadrature() -> tuple[Array, Array]:
    """Gauss's nodes and weights between 0 and 1, denser towards 0, where a broken power of an angle is not smooth.

    NumPy's own take ten times as long as all else that an interval costs.
    """
    nodes = np.cos(math.pi * (np.arange(_NODES) + 0.75) / (_NODES + 0.5))
    for _ in range(_STEPS_TO_NODES):
        before, legendre = np.ones_like(nodes), nodes
        for degree in range(2, _NODES + 1):
            step = ((2 * degree - 1) * nodes * legendre - (degree - 1) * before) / degree
            before, legendre = legendre, step
        slope = _NODES * (before - nodes * legendre) / (1 - nodes * nodes)
        nodes = nodes - legendre / slope
    weights = 1 / ((1 - nodes * nodes) * slope * slope)
    nodes = (nodes + 1) / 2
    return nodes**3, 3 * nodes**2 * weights


def _log_gamma_ratio(a: Array) -> Array:
    """The logarithm of gamma(a + 1/2) / gamma(a)."""
    ratios: Array = np.vectorize(_one_log_gamma_ratio, otypes=[np.float64])(a)
    return ratios


@cache
def _one_log_gamma_ratio(a: float) -> float:
    if a < 20:
        return math.lgamma(a + 0.5) - math.lgamma(a)
    # Two great logarithms would cancel out; their series does not.
    series = -1 / (8 * a) + 1 / (192 * a**3) - 1 / (640 * a**5) + 17 / (14336 * a**7)
    return 0.5 * math.log(a) + series
