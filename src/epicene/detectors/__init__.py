"""Detectors read the gender of the focus from translations; the steps of the cascade have a file each."""
