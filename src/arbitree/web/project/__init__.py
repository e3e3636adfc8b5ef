"""What is served: files, editions, progress, results computed in the background."""
