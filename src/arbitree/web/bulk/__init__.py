"""The web app: one decision for many disagreements."""
