"""Pictures of dependency trees."""
