"""Numbers out of range, given to an operator, are told and not cut to what is possible."""

import math

import bpy
import pytest
from dynarig.addon.blender.importing.options import TITLES

from .importing.test_importer import run

ROBOT = '<robot name="r"><link name="a"/></robot>'


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("scale", value) for value in (-1.0, 0.0, 1e-9, 1e9, math.inf, math.nan)),
        *(("decimation", value) for value in (-1.0, 0.0, 1.5, math.inf, math.nan)),
        *(("bone_length", value) for value in (-1.0, 1e9, math.inf, math.nan)),
    ],
)
def test_the_import_refuses(tmp_path, inventory, name, value):
    (tmp_path / "r.urdf").write_text(ROBOT)
    before = inventory()
    with pytest.raises(RuntimeError, match=f"{TITLES[name]}: .* is not possible; allowed"):
        run(tmp_path / "r.urdf", **{name: value})
    assert inventory() == before


def test_the_import_takes_what_the_mouse_does_not_reach(tmp_path):
    (tmp_path / "r.urdf").write_text(ROBOT)
    run(tmp_path / "r.urdf", scale=2e-3, decimation=1e-4, bone_length=5.0)
    assert bpy.context.active_object.scale[:] == pytest.approx((2e-3,) * 3)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        *(({"damping": value}, "damping: wanted") for value in (-1.0, math.nan)),
        *(({"loop_tolerance": value}, "loop tolerance: wanted") for value in (-1.0, 0.0, math.nan)),
        *(
            ({"use_tolerance": True, "tolerance": value}, "tolerance: wanted")
            for value in (-1.0, 0.0, math.nan)
        ),
        *(({"duration": value}, "frames") for value in (-1.0, 0.0, math.inf, math.nan)),
    ],
)
def test_the_bake_refuses(lab, options, word):
    obj = lab.load("case01").object
    bpy.context.scene.frame_end = 5
    with pytest.raises(RuntimeError, match=word):
        bpy.ops.dynarig.bake_simulation(**options)
    assert obj.animation_data is None or obj.animation_data.action is None
