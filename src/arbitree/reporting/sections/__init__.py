"""What each command tells."""
