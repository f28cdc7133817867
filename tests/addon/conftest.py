"""Every add-on test starts in an empty scene of a factory Blender with the add-on enabled."""

from collections.abc import Callable
from types import ModuleType

import pytest


@pytest.fixture(autouse=True)
def empty_scene(extension: ModuleType) -> None:
    """Replace whatever the last test left by Blender's empty startup file."""
    import addon_utils
    import bpy

    # unlike read_factory_settings this keeps the preferences, and so the enabled add-on
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert addon_utils.check(extension.__name__) == (True, True)


@pytest.fixture
def inventory() -> Callable[[], dict[str, set[str]]]:
    """A function that lists every data-block of the file by kind and name."""

    import bpy

    def take() -> dict[str, set[str]]:
        return {
            prop.identifier: {block.name for block in getattr(bpy.data, prop.identifier)}
            for prop in bpy.data.bl_rna.properties
            if prop.type == "COLLECTION"
        }

    return take
