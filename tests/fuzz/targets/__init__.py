"""The targets, one module for each type of input."""
