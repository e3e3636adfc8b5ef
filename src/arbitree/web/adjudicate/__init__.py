"""The web app: adjudicate."""
