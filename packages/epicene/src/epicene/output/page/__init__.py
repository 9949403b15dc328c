"""The page that shows what lies behind the numbers."""
