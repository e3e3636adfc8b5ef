"""Backends that run blocks of work one after the other, on threads, on a GPU or on a cluster."""
