"""How blocks of pair work are run: one after the other, or on threads."""
