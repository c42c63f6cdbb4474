"""Many documents, or pairs of document and summary, out of whatever holds them."""
