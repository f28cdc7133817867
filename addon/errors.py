"""Errors of the Blender side, in the one family of errors that dynarig raises."""

from ..core.errors import DynarigError


class RigError(DynarigError):
    """An object or scene that the add-on cannot use; the message says what would be allowed."""


class RenderError(DynarigError):
    """A picture that cannot be rendered; the message says what is missing or would be allowed."""


class NoBlenderError(RenderError):
    """Blender is asked for in a Python that has none; the message says how to get it."""
