"""SVG, text canvas and colours of pictures; no kind of annotation is known here."""
