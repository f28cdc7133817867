"""Measurements of speed, run by `dev.py bench`."""
