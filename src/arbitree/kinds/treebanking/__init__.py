"""Decisions of treebankers in [incr tsdb()] profiles."""
