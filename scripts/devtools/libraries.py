"""The system libraries that Blender's wheel loads, and how to install them."""

import ctypes
import glob
import os
import shutil
import sys
from collections.abc import Sequence
from functools import cache

from .terminal import DevError, run_quietly, say

# Debian package -> library; the first nine to import bpy, then two to render without a display
PACKAGES = {
    "libx11-6": "libX11.so.6",
    "libxrender1": "libXrender.so.1",
    "libxxf86vm1": "libXxf86vm.so.1",
    "libxfixes3": "libXfixes.so.3",
    "libxi6": "libXi.so.6",
    "libxkbcommon0": "libxkbcommon.so.0",
    "libgomp1": "libgomp.so.1",
    "libsm6": "libSM.so.6",
    "libgl1": "libGL.so.1",
    "libegl1": "libEGL.so.1",
}
DRIVER_PACKAGE = "libgl1-mesa-dri"
DRIVERS = ("/usr/lib/*/dri/*_dri.so", "/usr/lib/dri/*_dri.so", "/usr/lib64/dri/*_dri.so")


@cache
def ensure_libraries() -> None:
    """Install the libraries that are missing, where this is root on a system with apt.

    Raises:
        DevError: some are missing; the message is the command that installs them.
    """
    missing = missing_packages() if sys.platform.startswith("linux") else []
    if not missing:
        return
    if shutil.which("apt-get") is None:
        names = ", ".join(PACKAGES.get(package, package) for package in missing)
        raise DevError(f"Blender needs system libraries that are missing here: {names}")
    apt_install(missing, "Blender needs system libraries that are missing here")
    still = missing_packages()
    if still:
        raise DevError(f"apt-get installed {', '.join(still)}, but the libraries do not load")


def missing_packages() -> list[str]:
    """Debian packages whose library is not there."""
    missing = [package for package, library in PACKAGES.items() if not can_load(library)]
    if not any(glob.glob(pattern) for pattern in DRIVERS):
        missing.append(DRIVER_PACKAGE)
    return missing


def can_load(library: str) -> bool:
    """True when the dynamic linker finds the library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def apt_install(packages: Sequence[str], why: str) -> None:
    """Install Debian packages as root, or raise with the command that would."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if os.geteuid() != 0:
        raise DevError(
            f"{why}. Install them with\n\n    sudo apt-get update && sudo {' '.join(command)}\n"
        )
    say(f"{why}: installing {' '.join(packages)}")
    env = {"DEBIAN_FRONTEND": "noninteractive"}
    run_quietly(["apt-get", "update"], "apt-get update", env=env)
    run_quietly(command, "apt-get install", env=env)
