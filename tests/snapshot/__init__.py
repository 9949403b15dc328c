"""A snapshot of what epicene answers, so that a later step cannot shift a number or a verdict unseen."""
