"""The served project: files and their versions, progress, results computed in the background."""
