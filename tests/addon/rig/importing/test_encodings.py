"""Files of other systems and editors: their names and numbers arrive, whatever their bytes."""

import bpy
import pytest
from dynarig.addon.blender.importing.importer import REPORT_NAME
from dynarig.addon.blender.pose import evaluated_link_poses
from dynarig.addon.blender.rig_access import open_rig

from .test_importer import run

ARM, JOINT = "Gelenk_größe_é", "Drehung_ß"
BODY = f"""<robot name="n">
 <link name="base"/>
 <link name="{ARM}"><visual><geometry><box size="1
  2	3"/></geometry></visual></link>
 <joint name="{JOINT}" type="revolute"><parent link="base"/><child link="{ARM}"/>
  <origin xyz="0.1
 0.2 0.3"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>
"""
UTF_8 = '<?xml version="1.0" encoding="utf-8"?>\n' + BODY
LATIN_1 = '<?xml version="1.0" encoding="ISO-8859-1"?>\n' + BODY
FILES = {
    "lf": UTF_8.encode(),
    "crlf": UTF_8.replace("\n", "\r\n").encode(),
    "cr": UTF_8.replace("\n", "\r").encode(),
    "bom": UTF_8.encode("utf-8-sig"),
    "bom_without_declaration": BODY.encode("utf-8-sig"),
    "bom_and_crlf": UTF_8.replace("\n", "\r\n").encode("utf-8-sig"),
    "latin_1": LATIN_1.encode("latin-1"),
    "latin_1_and_crlf": LATIN_1.replace("\n", "\r\n").encode("latin-1"),
}


def imported(path):
    """The robot that the operator makes of a file, and the lines of warnings in its report."""
    assert run(path) == {"FINISHED"}
    robot = bpy.context.view_layer.objects.active
    return open_rig(robot), bpy.data.texts[REPORT_NAME].as_string()


@pytest.mark.parametrize("kind", FILES)
def test_names_and_numbers_are_those_of_the_file(tmp_path, kind):
    path = tmp_path / "robot.urdf"
    path.write_bytes(FILES[kind])
    rig, report = imported(path)
    assert [link.name for link in rig.robot.links] == ["base", ARM]
    bone = rig.pose_bone(JOINT)
    assert (bone["urdf_link"], bone["urdf_joint"]) == (ARM, JOINT)
    assert bone.name == ARM
    links = evaluated_link_poses(bpy.context, rig.object)
    assert links[ARM][:3, 3] == pytest.approx((0.1, 0.2, 0.3), abs=1e-6)
    (box,) = (obj for obj in rig.object.children if obj.type == "MESH")
    assert tuple(box.dimensions) == pytest.approx((1, 2, 3), abs=1e-6)
    assert "warning" not in report


@pytest.mark.parametrize("name", ["größe.urdf", "a b.urdf", "100%20.urdf"])
def test_names_of_files(tmp_path, name):
    path = tmp_path / "Ordner mit ß" / name
    path.parent.mkdir()
    path.write_bytes(FILES["crlf"])
    rig, report = imported(path)
    assert rig.pose_bone(JOINT)["urdf_joint"] == JOINT
    assert name in report


def test_a_file_that_says_utf_8_and_is_none_is_told(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_bytes(UTF_8.encode("latin-1"))
    rig, report = imported(path)
    assert rig.pose_bone(JOINT)["urdf_link"] == ARM
    assert "1 warning:" in report
    assert "line 4: bytes that are not UTF-8" in report


REFUSED = {
    "a mark of another encoding": UTF_8.encode("utf-8-sig").replace("ß".encode(), b"\xdf"),
    "an unknown encoding": UTF_8.replace("utf-8", "klingon").encode(),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_text_is_refused_and_nothing_comes_in(tmp_path, inventory, kind):
    path = tmp_path / "robot.urdf"
    path.write_bytes(REFUSED[kind])
    before = inventory()
    with pytest.raises(RuntimeError, match=r"robot\.urdf:1: .*UTF-8"):
        run(path)
    assert inventory() == before
