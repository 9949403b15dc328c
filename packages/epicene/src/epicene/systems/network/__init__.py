"""What every service shares: requests, keys, pace, money."""
