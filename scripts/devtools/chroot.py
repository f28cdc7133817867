"""Debian 13 with its Blender in a folder of the cache, for a machine that runs another Linux.

The folder is made by debootstrap in 6 minutes and takes 1.8 GB. Mounts are made in a mount
namespace of the command alone, so they are gone when it ends, however it ends.
"""

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from .libraries import DRIVER_PACKAGE, PACKAGES, apt_install
from .places import cache_folder, locked
from .stamps import read_stamp, write_stamp
from .terminal import DevError, output_of, run_quietly

SUITE = "trixie"
CONTENT = {"suite": SUITE, "packages": " ".join(["blender", "python3-numpy", *PACKAGES])}
FROM_HOST = ("/etc/resolv.conf", "/etc/hosts")


def ensure_chroot() -> Path:
    """Return the folder, made now where it is not in the cache yet.

    Raises:
        DevError: this is not root, or a step failed; an unfinished folder is never used.
    """
    folder = cache_folder() / f"debian-{SUITE}"
    with locked(folder):
        if read_stamp(folder) == CONTENT:
            return folder
        if os.geteuid() != 0:
            raise DevError(
                "no Blender of at least 4.2 on PATH. Install one, or run this as root: it then "
                "makes a Debian 13 with Blender 4.3 in its cache"
            )
        remove_tree(folder)
        unfinished = folder.with_name(f"{folder.name}.unfinished")
        remove_tree(unfinished)
        make_chroot(unfinished)
        write_stamp(unfinished, CONTENT)
        unfinished.rename(folder)
    return folder


def make_chroot(folder: Path) -> None:
    """Debian's base, then Blender from its packages."""
    if shutil.which("debootstrap") is None:
        apt_install(["debootstrap"], "a Debian 13 is made with debootstrap")
    folder.mkdir(parents=True)
    command = ["debootstrap", "--variant=minbase", SUITE, str(folder), *host_mirror()]
    run_quietly(
        private_mounts('exec "$@"', command),
        f"making a Debian 13 in {folder} (1 of 2)",
        growing=[folder],
    )
    for name in FROM_HOST:
        if Path(name).exists():
            shutil.copyfile(name, f"{folder}{name}")
    (folder / "etc" / "mtab").symlink_to("../proc/self/mounts")
    packages = [*CONTENT["packages"].split(), DRIVER_PACKAGE]
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    run_quietly(
        in_chroot(folder, ["sh", "-c", f"{shlex.join(install)} && apt-get clean"]),
        "installing its Blender (2 of 2)",
        growing=[folder],
        env={"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"},
    )


def host_mirror() -> list[str]:
    """The mirror that this machine takes Debian from, or nothing for debootstrap's own choice."""
    listing = output_of(
        [
            *("apt-get", "indextargets", "--format", "$(LABEL) $(SITE)"),
            *("Created-By: Packages", "Origin: Debian", "Label: Debian"),
        ]
    )
    sites = [line.split()[-1] for line in (listing or "").splitlines() if line]
    return sites[:1]


def in_chroot(folder: Path, command: Sequence[str | Path], bind: Sequence[Path] = ()) -> list[str]:
    """The command line that runs a command in the chroot, with folders of the host inside.

    Args:
        folder: the chroot.
        command: what to run in it.
        bind: folders that are to be at the same path inside.
    """
    steps = []
    for name in ("/proc", "/sys", "/dev"):
        steps.append(f"mount --rbind {name} {shlex.quote(f'{folder}{name}')}")
    # a folder before the folders in it, or it would hide them
    for place in sorted(bind):
        inside = shlex.quote(f"{folder}{place}")
        steps.append(f"mkdir -p {inside}")
        steps.append(f"mount --bind {shlex.quote(str(place))} {inside}")
    steps.append(f'exec chroot {shlex.quote(str(folder))} "$@"')
    return private_mounts(" && ".join(steps), command)


def private_mounts(script: str, arguments: Sequence[str | Path]) -> list[str]:
    """Run a shell script with arguments; its mounts nobody else sees, and they end with it."""
    unshare = ["unshare", "--mount", "--propagation", "private"]
    return [*unshare, "sh", "-c", script, "sh", *(str(argument) for argument in arguments)]


def remove_tree(folder: Path) -> None:
    """Delete a chroot, unless something is still mounted in it."""
    mounts = Path("/proc/mounts").read_text()
    if f" {folder}/" in mounts:
        raise DevError(f"something is mounted below {folder}: unmount it first")
    if folder.exists():
        shutil.rmtree(folder)
