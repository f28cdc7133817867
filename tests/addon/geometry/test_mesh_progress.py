"""Progress of reading mesh files: before each one, by bytes; whoever is told may stop it."""

import struct

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.geometry.visuals import Part, create_objects
from dynarig.addon.blender.leftovers import DataSnapshot
from dynarig.core.urdf.document import Box, Mesh, Origin


def write_stl(path, count):
    record = np.zeros(count, dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    record["v"] = np.random.default_rng(0).random((count, 3, 3))
    path.write_bytes(bytes(80) + struct.pack("<I", count) + record.tobytes())


def parts(folder):
    write_stl(folder / "small.stl", 10)
    write_stl(folder / "large.stl", 30_000)
    names = ("small.stl", "large.stl", "small.stl", "lost.stl")
    shapes = [Box((1, 1, 1)), *(Mesh(name, folder / name) for name in names), Mesh("nowhere.stl")]
    roles = ("visual", "collision")
    return [Part("a", "p", shape, Origin(), role=role) for shape in shapes for role in roles]


def test_each_file_is_told_once_with_its_size(tmp_path):
    told = []
    create_objects(
        parts(tmp_path),
        bpy.data.collections.new("c"),
        [],
        progress=lambda part, text: told.append((part, text)),
    )
    small, large = 84 + 50 * 10, 84 + 50 * 30_000
    assert told == [
        (0.0, "reading small.stl (1 kB)"),
        (small / (small + large), "reading large.stl (2 MB)"),
        (1.0, "reading lost.stl (0 kB)"),
    ]


def test_stopping_leaves_nothing_behind(tmp_path):
    class Stop(Exception):
        pass

    def stop(part, text):
        if "lost" in text:
            raise Stop

    collection = bpy.data.collections.new("c")
    before = DataSnapshot.take()
    with pytest.raises(Stop):
        create_objects(parts(tmp_path), collection, [], progress=stop)
    assert before.added() == []
    assert len(collection.objects) == 0
