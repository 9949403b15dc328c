"""Engines run a system over many sentences."""
