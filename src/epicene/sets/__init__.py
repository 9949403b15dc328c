"""Challenge sets: one file each, which defines ``SET``."""
