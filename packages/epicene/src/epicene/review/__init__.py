"""Review: people settle what the detector could not read or may have read wrongly, and its errors are measured."""
