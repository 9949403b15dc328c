"""Systems that run on this machine: one file each, registered by its name."""
