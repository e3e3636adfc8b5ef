"""Build the document of each command."""
