"""Notes and metadata that leave the library and come into it, in the formats of this program and of others."""
