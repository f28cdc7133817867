"""Where a picture cannot be written: known before the rendering, and nothing there is touched."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("suffix", [".png", ".gif", ".mp4", ".blend"])
@pytest.mark.parametrize("place", ["none/film", "x" * 300, "file/film", "folder"])
def test_where_no_file_can_be_is_known_before_rendering(
    pendulum, no_rendering, tmp_path, place, suffix
) -> None:
    from dynarig.addon.errors import RenderError
    from dynarig.addon.render import render, write_blend

    (tmp_path / "file").write_text("own")
    (tmp_path / f"folder{suffix}").mkdir()
    before = sorted(tmp_path.rglob("*"))
    path = tmp_path / f"{place}{suffix}"
    with pytest.raises(RenderError) as caught:
        (write_blend if suffix == ".blend" else render)(*pendulum, path)
    assert str(caught.value).startswith(f"{path}: ")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(sys.platform != "linux", reason="a folder that takes no files even from root")
@pytest.mark.parametrize("name", ["a.png", "a.gif", "a.mp4", "a.blend"])
def test_a_system_folder_takes_no_file(pendulum, no_rendering, name) -> None:
    from dynarig.addon.errors import RenderError
    from dynarig.addon.render import render, write_blend

    with pytest.raises(RenderError, match=f"^/proc/{name}: cannot be written"):
        (write_blend if name == "a.blend" else render)(*pendulum, f"/proc/{name}")


def test_a_file_that_is_there_is_not_touched_by_the_check(tmp_path: Path) -> None:
    from dynarig.addon.target import target_file

    file = tmp_path / "film.gif"
    file.write_bytes(b"own")
    os.utime(file, (1.0, 2.0))
    assert target_file(file, (".gif",)) == file
    assert file.read_bytes() == b"own" and file.stat().st_mtime == 2.0
    assert target_file(tmp_path / "new.gif", (".gif",)) == tmp_path / "new.gif"
    assert [path.name for path in tmp_path.iterdir()] == ["film.gif"]


def test_another_ending_is_refused_with_those_that_are_wanted(tmp_path: Path) -> None:
    from dynarig.addon.target import target_file
    from dynarig.core.errors import ArgumentError

    with pytest.raises(ArgumentError, match=r"^path: .* ends in \.urdf, got 'out'$"):
        target_file("out", (".urdf",))
    with pytest.raises(ArgumentError, match=r"^path: .* ends in \.png or \.gif, got 'a\.b'$"):
        target_file("a.b", (".png", ".gif"))


def test_a_folder_that_goes_while_blender_renders_is_named(tmp_path: Path) -> None:
    from dynarig.addon.blender.film.movie import move_product
    from dynarig.addon.errors import RenderError

    made, path = tmp_path / "made.png", tmp_path / "gone" / "film.png"
    made.write_bytes(b"picture")
    with pytest.raises(RenderError, match=r"film\.png: cannot be written: "):
        move_product(made, path)
