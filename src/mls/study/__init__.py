"""Progressive fact checking with real people: the design, the participant's page, the results."""
