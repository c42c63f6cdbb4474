"""REST and the page: summaries for programs, and a slider for people."""
