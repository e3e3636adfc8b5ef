"""Simulated annotation errors: how measures respond to increasing noise levels."""
