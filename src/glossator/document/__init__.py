"""The document as values, its addresses, and how words are found in it; pure functions, no I/O."""
