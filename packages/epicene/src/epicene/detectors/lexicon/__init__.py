"""Reads people whom the lexicon lists: their words, what agrees with them, who is who."""
