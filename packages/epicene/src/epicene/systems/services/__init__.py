"""Systems behind a network: one file each, registered by its name."""
