"""Vectors of sentences: the shipped Doc2Vec, and its rival wordllama."""
