"""Which Blender wheels there are, and which Python each of them wants."""

import sys

from .terminal import DevError

# measured: the newest release of each series that Dynarig supports
PYTHON_OF_BPY = {
    "4.2.23": "3.11",
    "4.5.15": "3.11",
    "5.0.1": "3.11",
    "5.2.3": "3.13",
    "5.3.0": "3.13",
}
# .venv gets the first whose Python is to be had; both are tested in CI
DEFAULT_BPY = ("5.0.1", "5.3.0")


def python_of(bpy_version: str) -> str:
    """The Python version that a bpy wheel wants."""
    if bpy_version not in PYTHON_OF_BPY:
        allowed = ", ".join(PYTHON_OF_BPY)
        raise DevError(f"no bpy {bpy_version}: wanted one of {allowed}")
    return PYTHON_OF_BPY[bpy_version]


def default_order() -> tuple[str, ...]:
    """The default wheels, the one that fits the running interpreter first."""
    running = "{}.{}".format(*sys.version_info)
    return tuple(sorted(DEFAULT_BPY, key=lambda bpy: PYTHON_OF_BPY[bpy] != running))
