"""SVG, text canvas and colours of pictures, independent of the kind of annotation."""
