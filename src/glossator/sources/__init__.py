"""Where documents come from: files and folders, web pages."""
