"""Measures: one file per family, each with ``key``, which says what of an item is counted, and ``measures``."""
