"""What a reload needs before it begins: a robot that may be changed, and its file."""

from __future__ import annotations

import os
from pathlib import Path

import bpy

from ...errors import RigError
from ..bake.checks import check_editable
from ..parts import tag_of
from ..robot_table import read_table


def is_file_gone(robot: bpy.types.Object) -> bool:
    """Whether the file that a robot came from is not there any more."""
    try:
        assert robot.data is not None
        source = read_table(robot.data).source
    except RigError:
        return False
    return not source or not Path(source).exists()


def check_reloadable(obj: bpy.types.Object) -> None:
    """Refuse what cannot be changed.

    Raises:
        RigError: saying why.
    """
    if obj.type != "ARMATURE" or obj.data is None:
        raise RigError(f"object '{obj.name}' is no robot; select one that was imported by dynarig")
    read_table(obj.data)
    for block in (obj, obj.data):
        if block.library is not None or block.override_library is not None:
            raise RigError(
                f"robot '{obj.name}' comes from another file; reload it there, or make it local "
                "(Object > Relations > Make Local > All)"
            )
    check_editable(obj)
    busy = [own for own in obj.children_recursive if own.mode != "OBJECT" and tag_of(own)]
    if busy:
        raise RigError(
            f"object '{busy[0].name}' of robot '{obj.name}' is in {busy[0].mode.lower()} mode; "
            "leave it first"
        )
    others = [own.name for own in bpy.data.objects if own.data == obj.data and own != obj]
    if others:
        raise RigError(
            f"robot '{obj.name}' shares its armature data with '{others[0]}'; give it its own "
            "(Object > Relations > Make Single User > Object & Data)"
        )


def file_of(obj: bpy.types.Object, filepath: str | os.PathLike[str] | None) -> Path:
    """The file to read.

    Raises:
        RigError: where it is not known, or is gone.
    """
    assert obj.data is not None
    source = filepath or read_table(obj.data).source
    if not source:
        raise RigError(f"robot '{obj.name}' came from no file; choose one to reload it from")
    path = Path(source)
    if not path.exists():
        raise RigError(
            f"{path}: does not exist; choose the file of robot '{obj.name}' at its new place"
        )
    return path
