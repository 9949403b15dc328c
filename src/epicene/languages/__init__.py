"""Languages: their codes, and one folder of tables for each whose gender can be read."""
