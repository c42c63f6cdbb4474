"""The sentence parser: part-of-speech tags, dependency trees, names, and which words people would keep."""
