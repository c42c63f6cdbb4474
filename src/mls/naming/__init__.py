"""Who is meant by a pronoun, or by half a name, and which words of the text can stand in its place."""
