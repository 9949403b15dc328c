"""Word vectors of our own: plain text of the European Parliament, and the rows that the tests need."""
