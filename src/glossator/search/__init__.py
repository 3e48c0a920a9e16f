"""Retrieve, fuse, explain."""
