"""The version of epicene, alone, so that anything may know it."""

__version__ = "0.3.0"
