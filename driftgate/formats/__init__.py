"""The formats of files: YAML, JSON text with places, atomic writes, and text that is harmless to print."""
