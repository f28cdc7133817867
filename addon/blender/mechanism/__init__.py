"""Mechanisms in Blender: what is drawn of them, and how it moves."""
