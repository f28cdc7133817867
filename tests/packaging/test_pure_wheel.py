"""A wheel with a compiled part loses that part, and is a proper wheel afterwards."""

import base64
import csv
import hashlib
import zipfile
from pathlib import Path

import pytest
from devtools.pure_wheel import make_pure

INFO = "some-1.0.dist-info"


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    path = tmp_path / "some-1.0-cp311-cp311-manylinux2014_x86_64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("some/", "")
        archive.writestr("some/fast.cpython-311-x86_64-linux-gnu.so", b"\x7fELF")
        archive.writestr("some/__init__.py", "one = 1\n")
        archive.writestr(f"{INFO}/METADATA", "Name: some\nVersion: 1.0\n")
        archive.writestr(f"{INFO}/WHEEL", "Root-Is-Purelib: false\nTag: cp311-cp311-x\n")
        archive.writestr(f"{INFO}/licenses/LICENSE", "MIT\n")
        archive.writestr(f"{INFO}/RECORD", "")
    return path


def test_only_the_compiled_part_goes(compiled: Path) -> None:
    pure = make_pure(compiled)
    assert not compiled.exists()
    assert pure.name == "some-1.0-py3-none-any.whl"
    with zipfile.ZipFile(pure) as archive:
        names = set(archive.namelist())
        wheel = archive.read(f"{INFO}/WHEEL").decode()
        assert archive.read("some/__init__.py") == b"one = 1\n"
    metadata = {f"{INFO}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "licenses/LICENSE")}
    assert names == {"some/__init__.py"} | metadata
    assert "Root-Is-Purelib: true\nTag: py3-none-any\n" in wheel


def test_the_record_lists_every_file_with_its_hash(compiled: Path) -> None:
    with zipfile.ZipFile(make_pure(compiled)) as archive:
        rows = list(csv.reader(archive.read(f"{INFO}/RECORD").decode().splitlines()))
        assert {row[0] for row in rows} == set(archive.namelist())
        for name, digest, size in rows:
            if name == f"{INFO}/RECORD":
                continue
            data = archive.read(name)
            wanted = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            assert (digest, int(size)) == (f"sha256={wanted}", len(data))


def test_the_same_input_gives_the_same_bytes(compiled: Path) -> None:
    again = compiled.with_name("some-1.0-cp311-cp311-win32.whl")
    again.write_bytes(compiled.read_bytes())
    first = make_pure(compiled).read_bytes()
    assert make_pure(again).read_bytes() == first


def test_no_bundled_wheel_has_a_compiled_file(root: Path) -> None:
    wheels = list((root / "wheels").glob("*.whl"))
    assert wheels
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            assert not [name for name in archive.namelist() if name.endswith((".so", ".pyd"))]
