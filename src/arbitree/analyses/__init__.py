"""What lies behind a figure: what is confused with what, which constructions differ, who differs."""
