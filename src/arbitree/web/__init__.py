"""Web app: explore disagreements, adjudicate them, collect blind judgments."""
