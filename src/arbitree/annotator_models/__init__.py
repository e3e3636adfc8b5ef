"""Annotator models: the competence of annotators, the difficulty of items, and a consensus."""
