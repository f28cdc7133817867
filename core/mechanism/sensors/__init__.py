"""Sensors: what frames do, against the world or each other, and what passes through a cut."""
