"""Parts of the reader of Prague files (PML and Treex)."""
