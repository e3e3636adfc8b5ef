"""Public Python API; each function corresponds to a command."""
