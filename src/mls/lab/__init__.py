"""For researchers of the paper: the baseline A3 with its network, and its experiments. Nothing else needs it."""
