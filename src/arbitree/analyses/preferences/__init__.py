"""Do metrics prefer the parse that people prefer? (Plank et al. 2015)."""
