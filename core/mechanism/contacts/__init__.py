"""Contact between frames, and joints at their limits; the shapes that may touch."""

from .shapes import Box, Capsule, ContactShape, Cylinder, Plane, Point, Sphere, Wall

__all__ = ["Box", "Capsule", "ContactShape", "Cylinder", "Plane", "Point", "Sphere", "Wall"]
