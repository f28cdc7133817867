"""Errors of the Blender side, in the one family of errors that dynarig raises."""

from ..core.errors import DynarigError


class RigError(DynarigError):
    """An object or scene that the add-on cannot use; the message says what would be allowed."""
