"""Dynarig: simulate URDF robots in Blender and bake the motion to keyframes."""


def register() -> None:
    """Register operators, panels and properties (called by Blender)."""
    from . import addon

    addon.register()


def unregister() -> None:
    """Undo register()."""
    from . import addon

    addon.unregister()
