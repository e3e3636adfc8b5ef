"""Treebanking over [incr tsdb()] profiles: where two annotators diverge, and what an adjudicator needs."""
