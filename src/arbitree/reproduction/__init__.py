"""Published tables and figures, compared with our values: one module for each paper, and its public files."""
