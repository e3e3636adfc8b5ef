"""Random and damaged inputs for every part that reads what others wrote: ``make fuzz``."""
