"""Word vectors beyond WEAT: the metrics of other toolkits, before and after debiasing, and words in context."""
