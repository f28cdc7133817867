"""A wheel with compiled files -> the same as a wheel of pure Python, for every system.

For packages that run without their compiled part: what imports it has another way.
"""

import base64
import hashlib
import zipfile
from pathlib import Path

COMPILED = (".so", ".pyd", ".dll", ".dylib")
DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip can hold: the same wheel whenever it is made
WHEEL = """\
Wheel-Version: 1.0
Generator: dynarig
Root-Is-Purelib: true
Tag: py3-none-any
"""


def make_pure(wheel: Path) -> Path:
    """Replace a wheel by one without its compiled files; return the new file.

    The same input gives the same bytes on every system: files are sorted, dated alike, and stored
    as they are, for compressors differ.
    """
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    pure = {name: data for name, data in files.items() if not name.endswith(COMPILED)}
    name, version = wheel.name.split("-")[:2]
    info = f"{name}-{version}.dist-info"
    pure[f"{info}/WHEEL"] = WHEEL.encode()
    del pure[f"{info}/RECORD"]
    pure[f"{info}/RECORD"] = record(pure, f"{info}/RECORD")

    target = wheel.with_name(f"{name}-{version}-py3-none-any.whl")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(pure):
            entry = zipfile.ZipInfo(path, DATE)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # Unix, wherever this runs
            archive.writestr(entry, pure[path])
    wheel.unlink()
    return target


def record(files: dict[str, bytes], own_path: str) -> bytes:
    """The list of files with hash and size that a wheel carries (PEP 427)."""
    lines = []
    for path, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{own_path},,\n"]).encode()
