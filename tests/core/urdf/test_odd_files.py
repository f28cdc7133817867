"""Pipes, files without end and empty ones, wherever a description may name a file."""

import os

import pytest
from dynarig.core.urdf import regular_file
from dynarig.core.urdf.regular_file import has_content, read_regular

from .xacro_case import error_of, write

PLACES = {
    "robot": "{0}",
    "include": '<xacro:include filename="{0}"/><link name="a"/>',
    "yaml": "<link name=\"${{xacro.load_yaml('{0}')}}\"/>",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("odd", ["pipe", "folder", "link"])
def test_what_is_no_file_is_refused_unread(tmp_path, place, odd):
    file = tmp_path / "odd.xacro"
    if odd == "folder":
        file.mkdir()
    elif odd == "pipe":
        os.mkfifo(file)
    else:
        os.mkfifo(tmp_path / "pipe")
        file.symlink_to(tmp_path / "pipe")
    top = file
    if place != "robot":
        top = write(tmp_path / "r.xacro", PLACES[place].format("odd.xacro"))
    assert "odd.xacro" in error_of(top)


def test_no_more_is_read_than_allowed(tmp_path, monkeypatch):
    file = tmp_path / "f"
    file.write_bytes(b"0123456789")
    monkeypatch.setattr(regular_file, "BLOCK", 3)
    assert read_regular(file, 100) == b"0123456789"
    assert read_regular(file, 4) == b"01234"


def test_a_file_of_size_zero_is_empty_whatever_reading_gives():
    # of the system's: a size of 0, and content
    assert read_regular("/proc/self/status", 100) == b""
    assert not has_content(regular_file.Path("/proc/self/status"))


def test_devices_and_pipes_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, "/dev/zero"):
        with pytest.raises(OSError, match=r"no file|directory"):
            read_regular(path, 10)
        assert not has_content(regular_file.Path(path))
