"""The web app: people."""
