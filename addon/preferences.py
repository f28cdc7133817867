"""The add-on's preferences: folders that every import searches for ROS packages."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import CollectionProperty, IntProperty, StringProperty

# the name that Blender enables the add-on by: bl_ext.<repository>.dynarig
ADDON = (__package__ or "").rpartition(".")[0]


class DynarigSearchFolder(bpy.types.PropertyGroup):
    """A folder of the list."""

    path: StringProperty(
        name="Folder",
        description="A folder that is a ROS package, or contains packages",
        subtype="DIR_PATH",
    )


class DynarigPreferences(bpy.types.AddonPreferences):
    """What holds for all files."""

    bl_idname = ADDON

    search_folders: CollectionProperty(
        type=DynarigSearchFolder,
        name="Search Folders",
        description="Folders to search for ROS packages, after those of the import dialog",
    )

    def draw(self, _context: bpy.types.Context) -> None:
        """The list; a folder that is not there is red."""
        layout = self.layout
        column = layout.column()
        column.label(text="Folders to search for ROS packages, after those of the import dialog:")
        for index, folder in enumerate(self.search_folders):
            row = column.row(align=True)
            row.alert = bool(folder.path) and not is_folder(folder.path)
            row.prop(folder, "path", text="")
            remove: Any = row.operator(DYNARIG_OT_remove_search_folder.bl_idname, text="", icon="X")
            remove.index = index
        column.operator(DYNARIG_OT_add_search_folder.bl_idname, icon="ADD")


class DYNARIG_OT_add_search_folder(bpy.types.Operator):
    """The button below the list."""

    bl_idname = "dynarig.add_search_folder"
    bl_label = "Add Search Folder"
    bl_description = "Add a folder to search for ROS packages"
    bl_options = {"INTERNAL"}

    path: StringProperty(subtype="DIR_PATH", options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the add-on is enabled."""
        return preferences(context) is not None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Add a folder, empty for the user to fill in."""
        found = preferences(context)
        assert found is not None  # poll has seen it
        found.search_folders.add().path = self.path
        _changed(context)
        return {"FINISHED"}


class DYNARIG_OT_remove_search_folder(bpy.types.Operator):
    """The cross beside each folder."""

    bl_idname = "dynarig.remove_search_folder"
    bl_label = "Remove Search Folder"
    bl_description = "Take this folder from the list; on disk it stays"
    bl_options = {"INTERNAL"}

    index: IntProperty(options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the add-on is enabled."""
        return preferences(context) is not None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Remove it, if it is still there."""
        found = preferences(context)
        assert found is not None  # poll has seen it
        if not 0 <= self.index < len(found.search_folders):
            return {"CANCELLED"}
        found.search_folders.remove(self.index)
        _changed(context)
        return {"FINISHED"}


def preferences(context: bpy.types.Context) -> Any:
    """The add-on's preferences; None where it runs without being enabled, as from a checkout."""
    addon = context.preferences.addons.get(ADDON)
    return None if addon is None else addon.preferences


def search_folders(context: bpy.types.Context) -> tuple[str, ...]:
    """The folders of the preferences, absolute, in order."""
    found = preferences(context)
    if found is None:
        return ()
    return tuple(bpy.path.abspath(item.path) for item in found.search_folders if item.path)


def is_folder(path: str) -> bool:
    """Whether a folder as Blender writes it is there."""
    try:
        return Path(bpy.path.abspath(path)).is_dir()
    except (OSError, ValueError):
        return False


def _changed(context: bpy.types.Context) -> None:
    """Let Blender save the preferences when it closes, if the user wants that."""
    context.preferences.is_dirty = True
