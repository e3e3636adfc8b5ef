"""Labels and sets of tags."""
