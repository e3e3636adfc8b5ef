"""From what a user types to a study: inputs, detection, matching, checks."""
