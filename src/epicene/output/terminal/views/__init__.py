"""Views: one file for each set whose results read better in tables of their own, and nothing else here."""
