"""Who does a job: labour statistics, their codes, opinion, and the optimal translator."""
