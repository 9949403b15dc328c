"""What ``epicene lab`` does with files: corpora to jobs, jobs to models, models to measured points."""
