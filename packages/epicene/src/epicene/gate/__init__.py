"""Decides whether a new system may be released: rules, baselines, and the formats that CI reads."""
