"""Controlled noise: what becomes of measures as a coder gets worse in a known way."""
