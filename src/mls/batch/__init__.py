"""Many documents: the same command for ten and for a million, on one machine or many."""
