"""When a number is in doubt: the one rule for headlines, cells, ranks and charts."""

from __future__ import annotations

WEAK = "weak:"  # how a note begins that says a set's own sentences to be doubtful
