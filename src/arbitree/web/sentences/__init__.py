"""The web app: sentences."""
