"""Install, enable, disable, enable again and uninstall the zip, in a fresh Blender of its own.

test_installed_extension.py starts it: `… install_and_remove.py -- dynarig.zip robot.urdf`. It
prints DONE when every step left what it should.
"""

import gc
import importlib
import os
import sys
import traceback
from pathlib import Path

import bpy  # isort: skip: it provides addon_utils
import addon_utils

MODULE = "bl_ext.user_default.dynarig"
BUNDLED = ("collada", "dateutil", "threadpoolctl", "tzdata", "xacro", "yaml", "_yaml", "pyyaml")
KINDS = ("AddonPreferences", "FileHandler", "Header", "Menu", "Operator", "Panel", "PropertyGroup")
OWNERS = ("Armature", "Bone", "Collection", "Object", "PoseBone", "Scene", "WindowManager")


def traces() -> dict[str, set[str]]:
    """All that an add-on may leave in a running Blender, by kind."""
    gc.collect()
    handlers = bpy.app.handlers
    lists = [name for name in dir(handlers) if isinstance(getattr(handlers, name), list)]
    keymaps = bpy.context.window_manager.keyconfigs.addon
    # looking at every type makes Blender define those it had put off
    menus = {f"{name}: {entry}" for name in dir(bpy.types) for entry in menu_entries(name)}
    return {
        "menus": menus,
        "classes": {
            cls.__name__
            for kind in KINDS
            for cls in getattr(bpy.types, kind).__subclasses__()
            if cls.is_registered
        },
        "types": set(dir(bpy.types)),
        "properties": {
            f"{owner}.{name}"
            for owner in OWNERS
            for name in getattr(bpy.types, owner).bl_rna.properties.keys()  # noqa: SIM118
        },
        "handlers": {f"{name}: {entry}" for name in lists for entry in getattr(handlers, name)},
        "keymaps": {
            f"{keymap.name}: {item.idname}"
            for keymap in (keymaps.keymaps if keymaps else ())
            for item in keymap.keymap_items
        },
        "operators": set(dir(bpy.ops.dynarig)),
    }


def menu_entries(name: str) -> list[str]:
    """The functions that draw into a menu or panel after its own."""
    draw = getattr(getattr(bpy.types, name), "draw", None)
    after = getattr(draw, "_draw_funcs", ())[1:]  # the first of them is its own
    return [f"{entry.__module__}.{entry.__name__}" for entry in after]


def files() -> set[str]:
    """Files of the package or of its wheels in the folder for the user's settings."""
    folder = Path(os.environ["BLENDER_USER_RESOURCES"])
    names = ("dynarig", *BUNDLED)
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and any(part.startswith(names) for part in path.relative_to(folder).parts)
    }


def modules() -> set[str]:
    """Modules of the package that Python still holds."""
    return {name for name in sys.modules if name == MODULE or name.startswith(f"{MODULE}.")}


def assert_enabled() -> None:
    """The add-on is on, its wheels import, and its operator stands in File > Import."""
    assert addon_utils.check(MODULE) == (True, True), addon_utils.check(MODULE)
    assert hasattr(bpy.types, "DYNARIG_OT_import_urdf")
    assert any(entry.startswith(MODULE) for entry in menu_entries("TOPBAR_MT_file_import"))
    assert len(bpy.context.preferences.addons[MODULE].preferences.search_folders) == 0
    assert bpy.ops.dynarig.add_search_folder(path="/robots") == {"FINISHED"}
    assert bpy.ops.dynarig.remove_search_folder(index=0) == {"FINISHED"}


def assert_gone(before: dict[str, set[str]]) -> None:
    """Blender is as it was before the add-on was enabled."""
    after = traces()
    for kind, names in before.items():
        assert after[kind] == names, (kind, after[kind] ^ names)


def import_robot(path: str) -> None:
    """The operator works on a robot file."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert bpy.ops.dynarig.import_urdf(filepath=path) == {"FINISHED"}
    assert [ob for ob in bpy.data.objects if ob.type == "ARMATURE"]
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def main(package: str, robot: str) -> None:
    """The whole life of an installed extension."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    before = traces()
    assert not files()

    # install and enable; the operator says FINISHED even when it failed
    bpy.ops.extensions.package_install_files(
        filepath=package, repo="user_default", enable_on_install=True
    )
    assert_enabled()
    # as the package does it, which leaves no compiled file behind
    with importlib.import_module(f"{MODULE}.addon.single_thread").single_thread():
        threadpoolctl = sys.modules["threadpoolctl"]
    import collada
    import xacro
    import yaml

    user = Path(os.environ["BLENDER_USER_RESOURCES"])
    for module in (collada, threadpoolctl, xacro, yaml):
        assert Path(module.__file__).is_relative_to(user), module.__file__
    import_robot(robot)
    import_robot(str(Path(robot).with_suffix(".xacro")))

    addon_utils.disable(MODULE, default_set=True)
    assert_gone(before)

    addon_utils.enable(MODULE, default_set=True)
    assert_enabled()
    import_robot(robot)

    repositories = bpy.context.preferences.extensions.repos
    index = next(i for i, repo in enumerate(repositories) if repo.module == "user_default")
    bpy.ops.extensions.package_uninstall(repo_index=index, pkg_id="dynarig")
    assert_gone(before)
    assert not modules(), modules()
    assert not files(), files()


if __name__ == "__main__":
    status = 1
    try:
        main(*sys.argv[sys.argv.index("--") + 1 :])
        print("DONE")
        status = 0
    except BaseException:
        traceback.print_exc()
    # some Blenders hang or crash when they end
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
