"""Documents of INCEpTION and WebAnno: their layers, and the trees and labels in a layer."""
