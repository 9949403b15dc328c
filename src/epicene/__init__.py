"""Measure gender bias in machine translation, speech translation and word embeddings."""

__version__ = "0.1.0"
