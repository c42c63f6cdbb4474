"""How the prototype summary is made: one generator per file."""
