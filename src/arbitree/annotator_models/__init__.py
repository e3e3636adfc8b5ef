"""Models of the coders: how far each can be trusted, which items are hard, and what the consensus is."""
