"""The library of what a person reads: one façade over parsing, storing, searching, asking and checking.

Nothing is imported here, so that a search loads no parser and a listing no model.
"""
