"""The Blender add-on. Its door `render` can be imported without Blender, to say what is missing."""


def register() -> None:
    """Register every class, then what hangs on Blender's own types."""
    from . import registration

    registration.register()


def unregister() -> None:
    """Undo register(), in reverse."""
    from . import registration

    registration.unregister()
