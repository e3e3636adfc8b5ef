"""Readers and writers, one file per format, and the way from files to a study."""
