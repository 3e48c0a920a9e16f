"""The agent: reads with tools, answers with receipts, keeps the reader unspoiled."""
