"""Contact between frames, and joints at their limits; the shapes that may touch."""

from .shapes import Box, ContactShape, Plane, Point, Sphere, Wall

__all__ = ["Box", "ContactShape", "Plane", "Point", "Sphere", "Wall"]
