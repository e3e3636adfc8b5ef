"""Items, annotators, annotations and results; no files, no measures."""
