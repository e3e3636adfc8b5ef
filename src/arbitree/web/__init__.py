"""The web app: explore a study, adjudicate it, judge its parses blind."""
