"""A real Blender: the one on PATH, else Debian 13's."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .chroot import ensure_chroot, in_chroot
from .libraries import DRIVER_PACKAGE, PACKAGES, apt_install
from .terminal import DevError, output_of

OLDEST = (4, 2)  # the first with extensions, and Dynarig's oldest
DEBIAN_WITH_BLENDER_4 = 13


@dataclass(frozen=True)
class Blender:
    """How to start a Blender: its program, inside a chroot or not."""

    program: str
    chroot: Path | None = None

    def command(self, *options: str | Path, bind: Sequence[Path] = ()) -> list[str]:
        """The command line that starts it; `bind` are the folders it has to see."""
        command = [self.program, *(str(option) for option in options)]
        return in_chroot(self.chroot, command, bind) if self.chroot else command

    def version(self) -> str:
        """Its version, such as "4.3.2"; empty where it does not start."""
        found = re.search(r"Blender (\d+\.\d+\.\d+)", output_of(self.command("--version")) or "")
        return found[1] if found else ""

    def python_version(self) -> str:
        """The version of the Python inside, such as "3.13"."""
        code = "import sys; print('python %d.%d' % sys.version_info[:2])"
        options = ("--background", "--factory-startup", "--python-expr", code)
        found = re.search(r"^python (\S+)$", output_of(self.command(*options)) or "", re.M)
        if not found:
            raise DevError(f"{self.program} --background does not run Python")
        return found[1]


def find_blender() -> Blender:
    """The Blender on PATH when it is new enough, else one from Debian 13's packages.

    Raises:
        DevError: there is none and this user cannot install one.
    """
    present = blender_on_path()
    if present:
        return present
    if debian_release() >= DEBIAN_WITH_BLENDER_4:
        packages = ["blender", "python3-numpy", *PACKAGES, DRIVER_PACKAGE]
        apt_install(packages, "no Blender of at least 4.2 on PATH")
        installed = blender_on_path()
        if installed is None:
            raise DevError("apt-get installed blender, but it does not start")
        return installed
    return Blender("/usr/bin/blender", ensure_chroot())


def blender_on_path() -> Blender | None:
    """The Blender on PATH, if it starts and is not too old."""
    program = shutil.which("blender")
    if program is None:
        return None
    blender = Blender(program)
    numbers = tuple(int(number) for number in blender.version().split(".") if number)
    return blender if numbers >= OLDEST else None


def debian_release() -> float:
    """The number of the Debian that runs here: infinite for testing, 0 for other systems."""
    try:
        lines = Path("/etc/os-release").read_text().splitlines()
    except OSError:
        return 0
    facts = dict(line.split("=", 1) for line in lines if "=" in line)
    if facts.get("ID") != "debian":
        return 0
    return float(facts.get("VERSION_ID", "inf").strip('"'))
