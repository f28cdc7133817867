"""A robot file into the scene: what is asked for, the import itself, and what it says."""
