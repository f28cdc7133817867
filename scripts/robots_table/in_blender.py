"""Robot files imported into Blender: what came in, and whether it is where the core has it.

Run by `dev.py robots`, with Blender's wheel.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import bpy
from package import load_package

from robots_table.task import Finding, work_through


def prepare(task: Finding) -> Callable[[Path], Finding]:
    """Load the package; pictures go to the task's folder, if it has one."""
    load_package()
    pictures = Path(task["pictures"]) if task.get("pictures") else None
    names: dict[str, str] = task.get("names", {})

    def look(file: Path) -> Finding:
        finding = imported(file)
        if pictures is not None and "robot" in finding:
            from robots_table.portrait import take_picture

            name = names.get(str(file), file.name)
            picture = pictures / f"{name.replace('/', '_')}.png"
            told = f"{name}, {finding['options']}" if "options" in finding else name
            take_picture(bpy.context, picture, told)
            finding["picture"] = str(picture)
        return finding

    return look


def imported(file: Path) -> Finding:
    """Import visuals and collision shapes of a file into an empty scene; tell what came in.

    Options other than the defaults are those of `chosen_options`. The robot stays in the scene. A
    file that is refused has the entry "refused" alone.
    """
    import time

    from dynarig.addon.blender.importing.importer import import_robot
    from dynarig.addon.blender.importing.options import ImportOptions
    from dynarig.core.errors import DynarigError

    from robots_table.chosen_options import choice_for
    from robots_table.measures import measures

    choice = choice_for(file)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    start = time.perf_counter()
    try:
        options = ImportOptions(shown="BOTH", **({} if choice is None else choice.options))
        result = import_robot(bpy.context, file, options)
    except DynarigError as error:
        return {"refused": str(error)}
    seconds = time.perf_counter() - start
    counted: dict[str, Any] = measures(bpy.context, result, file)
    if choice is not None:
        counted |= {"options": choice.told(), "reason": choice.reason}
    return {"robot": result.name, "seconds": seconds, **counted}


if __name__ == "__main__":
    work_through(prepare)
