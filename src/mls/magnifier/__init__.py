"""The Pointer-Magnifier: attention over sentences, and the summary it builds under a hard budget."""
