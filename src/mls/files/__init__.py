"""The main text of files: plain, Markdown, HTML, PDF, Word. One kind per file; strangers' files are read guarded."""
