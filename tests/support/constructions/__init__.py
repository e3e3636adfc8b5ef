"""Trees and findings for tests of ``explain``."""
