"""Families of measures: one file each, and nothing else here."""
