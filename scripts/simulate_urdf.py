"""Simulate a URDF robot and write a scene, a film, a picture, a table: see --help.

In Blender, and in plain Python with Blender's wheel (pip install bpy):

    blender --background --python simulate_urdf.py -- ROBOT.urdf --out X.blend
    python simulate_urdf.py ROBOT.urdf --out X.blend
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path

# matrices of a robot's size are slower with threads, four times on a busy machine; numpy reads
# this when it is imported
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Blender does not look for modules beside the script it runs
FOLDER = str(Path(__file__).resolve().parent)
if FOLDER not in sys.path:
    sys.path.insert(0, FOLDER)

from batch.chatter import Quiet  # noqa: E402
from batch.options import own_arguments, read_options  # noqa: E402
from package import load_package  # noqa: E402

NAME = "simulate_urdf.py"
OLDEST_BLENDER = (4, 2, 0)


def main(arguments: list[str]) -> int:
    """Do what the arguments ask for; return the exit code."""
    options = read_options(arguments)
    with Quiet() as quiet:
        problem = missing_part()
        if problem:
            quiet.complain(f"{NAME}: {problem}")
            return 1
        from batch.figures import Figures
        from batch.pipeline import run
        from dynarig.addon.messages import one_line
        from dynarig.core.errors import DynarigError

        try:
            run(options, Figures(quiet.say))
        except (DynarigError, OSError) as error:
            quiet.complain(f"{NAME}: {one_line(error)}")
        except KeyboardInterrupt:
            quiet.complain(f"{NAME}: interrupted")
        except Exception:
            quiet.complain(f"{NAME}: this is an error in Dynarig\n{traceback.format_exc()}")
        else:
            return 0
    return 1


def missing_part() -> str:
    """Why the work cannot begin in this Python, or nothing; makes `dynarig` importable."""
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        return f"numpy cannot be imported ({error}): pip install numpy"
    try:
        import bpy
    except ImportError as error:
        return (
            f"Blender cannot be imported ({error}): run `blender --background --python "
            f"{sys.argv[0]} -- …`, or this under Python 3.11 or 3.13 after pip install bpy"
        )
    if bpy.app.version < OLDEST_BLENDER:
        wanted = ".".join(map(str, OLDEST_BLENDER[:2]))
        return f"wanted Blender {wanted} or newer, this is {bpy.app.version_string}"
    load_package()
    return ""


if __name__ == "__main__":
    try:
        code = main(own_arguments(in_blender="bpy" in sys.modules))
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    sys.stdout.flush()
    sys.stderr.flush()
    # Blender ends with 0 whatever its scripts do, and some Blenders hang when they end
    os._exit(code)
