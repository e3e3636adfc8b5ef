"""The web app: the page of the owner on progress, pace and assignments."""
