"""Values of independent programs on small corpora of our own, recorded once and compared in every clone."""
