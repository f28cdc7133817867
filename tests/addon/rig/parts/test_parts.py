"""What all parts have in common: tags, names, independence, and nothing left after a failure."""

import json

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.parts import PART_KEY, PartTag, assembly, parts_of, set_tag, tag_of

from ....close import assert_close

ALL = {"shown": "BOTH", "inertia": True, "fixed_frames": True}


def everything(result):
    return set(result.collection.all_objects) - {result.object}


def test_every_object_says_what_it_is(workshop):
    result = workshop.make(**ALL)
    tags = dict(parts_of(result.object))
    assert set(tags) == everything(result)
    assert len({(tag.role, tag.link, tag.index) for tag in tags.values()}) == len(tags) == 14
    assert {(tag.link, tag.index) for tag in tags.values() if tag.role == "visual"} == {
        ("base", 0),
        ("arm", 0),
        ("arm", 1),
        ("slider", 0),
        ("tool", 0),
        ("finger", 0),
    }
    for child in result.collection.children:
        assert {tag_of(obj).role for obj in child.objects} == {child[PART_KEY]}


def test_exact_names_are_kept_where_blender_cuts_them(workshop):
    long = "関節" * 60
    result = workshop.make(
        f'<link name="{long}"><visual><geometry><sphere radius="1"/></geometry></visual></link>'
    )
    ((obj, tag),) = parts_of(result.object)
    assert tag == PartTag("visual", long, 0)
    assert obj.name == long[: len(obj.name)] != long


@pytest.mark.parametrize(
    "value",
    [7, "no json", "[1]", "{}", "7", json.dumps({"role": "wheel", "link": "a", "index": 0})],
)
def test_what_is_no_tag_is_none(value):
    obj = bpy.data.objects.new("mine", None)
    assert tag_of(obj) is None
    set_tag(obj, PartTag("frame", "a", 3))
    assert tag_of(obj) == PartTag("frame", "a", 3)
    obj[PART_KEY] = value
    assert tag_of(obj) is None


@pytest.mark.parametrize("mesh_parent", ["BONES", "SKIN"])
def test_the_same_robot_twice_is_two_robots(workshop, mesh_parent):
    first = workshop.make(mesh_parent=mesh_parent, **ALL)
    second = workshop.make(mesh_parent=mesh_parent, **ALL)
    assert not everything(first) & everything(second)
    meshes = [{obj.data for obj in everything(own) if obj.data} for own in (first, second)]
    assert not meshes[0] & meshes[1]
    names = [obj.name for own in (first, second) for obj in everything(own)]
    assert len(set(names)) == len(names) and not any("." in name for name in names)
    _, model = workshop.lab.open(first)
    shown = [obj for obj, tag in parts_of(second.object) if tag.role in ("visual", "skin")]
    before = np.concatenate([workshop.points(obj) for obj in shown])
    workshop.pose(first, workshop.lab.random_q(model))
    assert_close(np.concatenate([workshop.points(obj) for obj in shown]), before, 0.0)
    own = [obj for obj, tag in parts_of(first.object) if tag.role in ("visual", "skin")]
    assert np.abs(np.concatenate([workshop.points(obj) for obj in own]) - before).max() > 0.05


@pytest.mark.parametrize("mesh_parent", ["BONES", "SKIN"])
def test_a_failure_at_the_end_leaves_nothing(workshop, inventory, monkeypatch, mesh_parent):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(assembly, "create_link_frames", fail)
    before = inventory()
    with pytest.raises(MemoryError):
        workshop.make(mesh_parent=mesh_parent, **ALL)
    assert inventory() == before
