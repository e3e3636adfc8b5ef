"""Code that several tests share: studies, trees, profiles, commands."""
