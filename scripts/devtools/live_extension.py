"""Enable the checkout as an extension, under its true name, in the Blender that runs this."""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from package import add_wheels, alias_package

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = "dynarig_checkout"
MODULE = f"bl_ext.{REPOSITORY}.dynarig"


def enable_checkout() -> ModuleType:
    """Enable `bl_ext.dynarig_checkout.dynarig` and return the package, named `dynarig` too.

    The user's settings are never touched: a Blender that is not started yet gets a temporary
    folder for them, and preferences are not saved.

    Raises:
        RuntimeError: the add-on does not enable; Blender has printed why.
    """
    add_wheels()
    if "BLENDER_USER_RESOURCES" not in os.environ:
        os.environ["BLENDER_USER_RESOURCES"] = temporary_folder()
    import bpy  # isort: skip: it provides addon_utils
    import addon_utils

    preferences = bpy.context.preferences
    assert preferences is not None  # for the type checker: Blender always has them
    preferences.use_preferences_save = False
    if REPOSITORY not in {repository.module for repository in preferences.extensions.repos}:
        user_folder = os.environ["BLENDER_USER_RESOURCES"]
        folder = Path(tempfile.mkdtemp(prefix=f"{REPOSITORY}-", dir=user_folder))
        link_folder(folder / "dynarig", ROOT)
        preferences.extensions.repos.new(
            name="Dynarig checkout", module=REPOSITORY, custom_directory=str(folder)
        )
    addon_utils.enable(MODULE, default_set=True)
    if addon_utils.check(MODULE) != (True, True):
        raise RuntimeError(f"the add-on in {ROOT} did not enable: the reason is printed above")
    return alias_package(sys.modules[MODULE])


def temporary_folder() -> str:
    """A new folder that goes when Python ends."""
    folder = tempfile.mkdtemp(prefix="dynarig-user-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def link_folder(link: Path, target: Path) -> None:
    """Make a link to a folder; on Windows a junction, which needs no special right."""
    if sys.platform == "win32":
        import _winapi

        _winapi.CreateJunction(str(target), str(link))
    else:
        link.symlink_to(target, target_is_directory=True)
