"""The web reader in a real browser: what `benchmarks/web_reader.py` measures, and with what."""
