"""The web app: judge."""
