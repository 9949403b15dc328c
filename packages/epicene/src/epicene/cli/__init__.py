"""Commands: one file each, thin wrappers over the Python API."""
