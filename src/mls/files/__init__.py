"""The main text of files of many kinds, and which of its parts are headings, rows, code and so on.

One module for each kind; strangers' files are read guarded.
"""
