"""Detectors of protocol ``epicene``, by the names that sets give; what they are made of is in ``lexicon``."""
