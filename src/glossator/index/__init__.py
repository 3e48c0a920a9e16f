"""Derived search indexes: postings and vectors."""
