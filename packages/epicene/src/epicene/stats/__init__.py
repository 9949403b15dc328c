"""Intervals, exact tests, resampling and corrections: pure functions on numbers."""
