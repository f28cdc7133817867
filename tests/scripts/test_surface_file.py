"""Files that say what links have of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from batch.surface_file import SurfaceFileError, put_on_bones, read_surface_file
from dynarig.addon.blender.contact.link_overrides import LinkContact, contact_of_links
from dynarig.addon.blender.importing.importer import import_robot
from dynarig.addon.blender.importing.options import ImportOptions
from dynarig.addon.blender.rig_access import Rig, open_rig

INERTIAL = (
    '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
    "</inertial>"
)
ROBOT = f"""<robot name="r"><link name="base"/><link name="leg">{INERTIAL}</link>
<link name="foot"/><joint name="j" type="continuous"><parent link="base"/><child link="leg"/>
</joint>
<joint name="ankle" type="fixed"><parent link="leg"/><child link="foot"/></joint></robot>"""


@pytest.fixture
def rig(tmp_path: Path) -> Any:
    """A leg on a base that is held, with a foot that is welded to it."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    (tmp_path / "r.urdf").write_text(ROBOT)
    yield open_rig(import_robot(bpy.context, tmp_path / "r.urdf", ImportOptions()).object)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def put(rig: Rig, folder: Path, text: str) -> None:
    """Read a text as a file, and put it on the bones."""
    (folder / "s.json").write_text(text, encoding="utf-8")
    put_on_bones(rig, read_surface_file(folder / "s.json"))


def test_what_a_file_says_is_on_the_bone_and_holds_for_what_is_welded(
    rig: Rig, tmp_path: Path
) -> None:
    put(rig, tmp_path, '{"foot": {"friction": 0.9, "limit_restitution": 0.5, "limit": false}}')
    found = contact_of_links(rig)
    own = found["leg"]
    assert found["foot"] == own
    assert own.friction == pytest.approx(0.9)
    assert own.restitution is None
    assert own.limit_restitution == 0.5
    assert own.collides
    assert not own.use_limit
    assert found["base"] == LinkContact()


def test_an_empty_entry_says_nothing(rig: Rig, tmp_path: Path) -> None:
    put(rig, tmp_path, '\ufeff{"leg": {}}')
    assert set(contact_of_links(rig).values()) == {LinkContact()}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", ["s.json", "wanted an object"]),
        ("{", ["s.json", "JSON"]),
        ('{"leg": {}, "leg": {}}', ["s.json", "'leg' is there twice"]),
        ('{"leg": 3}', ["s.json", "leg", "an object"]),
        ('{"leg": {"grip": 1}}', ["leg.grip", "friction, restitution"]),
        ('{"leg": {"restitution": 2}}', ["leg.restitution", "from 0 to 1"]),
        ('{"leg": {"friction": -1}}', ["leg.friction", "at least 0"]),
        ('{"leg": {"friction": true}}', ["leg.friction", "a number"]),
        ('{"leg": {"friction": NaN}}', ["leg.friction", "a number"]),
        ('{"leg": {"collides": 0}}', ["leg.collides", "true or false"]),
        ('{"wheel": {}}', ["no link 'wheel'", "leg"]),
        ('{"base": {"friction": 1}}', ["'base' is held"]),
        ('{"leg": {"friction": 1}, "foot": {"friction": 0}}', ["'leg' and 'foot'", "welded"]),
    ],
)
def test_what_is_wrong_is_named(rig: Rig, tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(SurfaceFileError) as raised:
        put(rig, tmp_path, text)
    assert all(word in str(raised.value) for word in words), raised.value
