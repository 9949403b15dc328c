"""Results as text, LaTeX and JSON."""
