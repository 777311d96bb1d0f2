"""What `clients/python/generate.py` writes."""
