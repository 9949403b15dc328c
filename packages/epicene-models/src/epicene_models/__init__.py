"""The weights that epicene ships for first steps and CI: data only, one folder a model, each with its card."""

from pathlib import Path

BUNDLED = Path(__file__).parent / "bundled"
BUNDLED_INTO_EN = Path(__file__).parent / "bundled-into-en"
DIRECT = Path(__file__).parent / "direct"
