"""PDF pages to blocks in reading order."""
