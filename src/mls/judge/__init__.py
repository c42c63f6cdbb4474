"""How much a sentence is worth in a summary, learned from sentences that were marked for it."""
