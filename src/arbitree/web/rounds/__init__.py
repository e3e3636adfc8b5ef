"""The web app: rounds."""
