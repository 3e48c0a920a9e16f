"""glossator: a local-first reading assistant that finds, quotes and cites to the exact sentence."""

__version__ = "0.1.0"
