"""Detectors that decide as the papers' own scripts do, quirks included."""
