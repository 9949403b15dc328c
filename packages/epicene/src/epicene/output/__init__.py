"""Results as people read them: tables, LaTeX, pages."""
