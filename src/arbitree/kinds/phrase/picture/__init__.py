"""Pictures of phrase-structure trees."""
