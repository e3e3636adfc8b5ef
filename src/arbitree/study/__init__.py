"""Items, coders, annotations and what is computed from them; no files, no measures."""
