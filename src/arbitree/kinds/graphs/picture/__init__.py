"""Drawing of graphs."""
