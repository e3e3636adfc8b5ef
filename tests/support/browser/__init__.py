"""Pages and visits for tests in a browser."""
