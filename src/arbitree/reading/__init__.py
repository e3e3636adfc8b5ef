"""Read a study from command-line arguments: inputs, detection, matching and checks."""
