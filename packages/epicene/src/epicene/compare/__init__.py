"""Systems side by side: paired tests, a table of all, and the headline above it."""
