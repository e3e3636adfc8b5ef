"""How blocks of pair work are run: one after the other, on threads, or on a cluster."""
