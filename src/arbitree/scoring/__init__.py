"""Systems against a gold standard."""
