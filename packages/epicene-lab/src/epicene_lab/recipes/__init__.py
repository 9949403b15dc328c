"""How shipped tables and models were made: one folder each, with the commands in its README."""
