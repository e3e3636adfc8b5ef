"""The web app: decisions."""
