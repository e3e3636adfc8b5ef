"""The Python function of every command."""
