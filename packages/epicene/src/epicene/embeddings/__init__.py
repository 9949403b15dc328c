"""Word vectors, association tests and gender scores."""
