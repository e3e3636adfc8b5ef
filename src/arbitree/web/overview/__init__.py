"""The web app: overview."""
