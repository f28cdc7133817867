"""Files with a few bytes changed: a mesh or a warning, nothing left behind, Blender still there.

Seeds are fixed. What ends Blender ends this file; pytest's faulthandler then names the seed.
"""

import random
from pathlib import Path

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.geometry.materials import MaterialLibrary
from dynarig.addon.blender.geometry.mesh_file import LARGEST_COORDINATE
from dynarig.addon.blender.geometry.meshes import MeshLibrary
from dynarig.addon.blender.leftovers import DataSnapshot
from dynarig.addon.blender.workspace import temporary_scene

SEEDS = 300
LONG = (b"-1", b"9999999999", b"nan", b"1e400", b"0", b"-", b" ", b"\xff" * 4, b"2147483647")
MTL = "newmtl red\nKd 0.5 0 0\nmap_Kd t.png\nnewmtl blue\nKd 0 0 1\nd 0.5\n"
OBJ = """mtllib m.mtl
o a
v 0 0 0
v 0.1 0 0
v 0 0.2 0
v 0 0 0.4 1 0 0
vt 0 0
vt 1 0
vt 0 1
vn 0 0 1
vn 1 0 0
g x
usemtl red
s 1
f 1/1/1 3/2/2 2/3/1
f 1/1 2/2 4/3
l 1 2
f -1 -2 -3
usemtl blue
f 1 2 3 4
"""
PLY = """ply
format {order} 1.0
element vertex 4
property float x
property float y
property float z
property float nx
property float ny
property float nz
property uchar red
property uchar green
property uchar blue
element face 2
property list uchar int vertex_indices
element edge 1
property int vertex1
property int vertex2
end_header
"""
DAE = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_images><image id="i"><init_from>t.png</init_from></image></library_images>
<library_effects><effect id="e"><profile_COMMON>
<newparam sid="s1"><surface type="2D"><init_from>i</init_from></surface></newparam>
<newparam sid="s2"><sampler2D><source>s1</source></sampler2D></newparam>
<technique sid="common"><phong><diffuse><texture texture="s2" texcoord="UV0"/></diffuse>
<transparency><float>0.5</float></transparency></phong></technique></profile_COMMON></effect>
</library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 10 0 0 0 20 0 0 0 40</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="n"><float_array id="na" count="6">0 0 1 1 0 0</float_array>
<technique_common><accessor source="#na" count="2" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="2" material="s"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="NORMAL" source="#n" offset="1"/><input semantic="COLOR" source="#n" offset="1"/>
<p>0 0 2 1 1 0 0 0 1 1 3 1</p></triangles>
<polylist count="2" material="s"><input semantic="VERTEX" source="#v" offset="0"/>
<vcount>3 4</vcount><p>0 3 2 0 1 2 3</p></polylist></mesh></geometry></library_geometries>
<library_nodes><node id="k"><rotate>0 0 1 90</rotate><instance_geometry url="#g"><bind_material>
<technique_common><instance_material symbol="s" target="#m"/></technique_common></bind_material>
</instance_geometry></node></library_nodes>
<library_visual_scenes><visual_scene id="sc"><node><translate>1 2 3</translate>
<instance_node url="#k"/><node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
<instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#sc"/></scene></COLLADA>"""


def exported(folder: Path, name: str, **options: object) -> bytes:
    """Blender's own file of a cone with a texture."""
    bpy.ops.mesh.primitive_cone_add(vertices=5)
    path = folder / name
    if path.suffix == ".stl":
        bpy.ops.wm.stl_export(filepath=str(path), **options)
    else:
        material = bpy.data.materials.new("m")
        material.use_nodes = True
        tree = material.node_tree
        image = tree.nodes.new("ShaderNodeTexImage")
        image.image = bpy.data.images.load(str(folder / "t.png"))
        tree.links.new(image.outputs[0], tree.nodes["Principled BSDF"].inputs["Base Color"])
        bpy.context.object.data.materials.append(material)
        bpy.ops.export_scene.gltf(filepath=str(path), **options)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return path.read_bytes()


def ply(order: str) -> bytes:
    """A file with normals, colours, and edges after its faces."""
    rows = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.4]])
    head = PLY.format(order=order).encode()
    if order == "ascii":
        lines = [f"{x:g} {y:g} {z:g} 0 0 1 255 128 0" for x, y, z in rows]
        return head + "\n".join([*lines, "3 0 2 1", "4 0 1 2 3", "0 1", ""]).encode()
    table = np.zeros(4, [("p", "<f4", 3), ("n", "<f4", 3), ("c", "u1", 3)])
    table["p"], table["n"], table["c"] = rows, (0, 0, 1), (255, 128, 0)
    faces = (
        b"\3" + np.array([0, 2, 1], "<i4").tobytes() + b"\4" + np.arange(4, dtype="<i4").tobytes()
    )
    return head + table.tobytes() + faces + np.array([0, 1], "<i4").tobytes()


MAKERS = {
    "binary.stl": lambda folder: exported(folder, "x.stl"),
    "text.stl": lambda folder: exported(folder, "x.stl", ascii_format=True),
    "a.obj": lambda folder: OBJ.encode(),
    "text.ply": lambda folder: ply("ascii"),
    "binary.ply": lambda folder: ply("binary_little_endian"),
    "a.glb": lambda folder: exported(folder, "x.glb", export_format="GLB"),
    "a.gltf": lambda folder: exported(folder, "x.gltf", export_format="GLTF_SEPARATE"),
    "a.dae": lambda folder: DAE.encode(),
}


def mutated(data: bytes, chance: random.Random) -> bytes:
    """A few bytes changed; in most files none are added or lost, so that sizes still fit."""
    changed = bytearray(data)
    ways = ("byte", "bit", "copy") if chance.random() < 0.7 else ("cut", "long", "byte")
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        at = chance.randrange(len(changed))
        way = chance.choice(ways)
        if way == "byte":
            changed[at] = chance.randrange(256)
        elif way == "bit":
            changed[at] ^= 1 << chance.randrange(8)
        elif way == "copy":
            size, other = chance.randrange(1, 60), chance.randrange(len(changed))
            piece = changed[other : other + size]
            changed[at : at + len(piece)] = piece
        elif way == "cut":
            del changed[at : at + chance.randrange(1, 40)]
        else:
            changed[at:at] = chance.choice(LONG)
        if not changed:
            break
    return bytes(changed)


@pytest.mark.parametrize("name", MAKERS)
def test_changed_files_are_read_or_told(tmp_path: Path, name: str) -> None:
    image = bpy.data.images.new("made", 2, 2)
    image.filepath_raw, image.file_format = str(tmp_path / "t.png"), "PNG"
    image.save()
    bpy.data.images.remove(image)
    (tmp_path / "m.mtl").write_text(MTL)
    data = MAKERS[name](tmp_path)
    path = tmp_path / name
    used = 0
    for seed in range(SEEDS):
        path.write_bytes(mutated(data, random.Random(seed)))
        (tmp_path / "seed").write_text(str(seed))
        used += read(path)
    # some changes do no harm, some do
    assert 0 < used < SEEDS


def read(path: Path) -> bool:
    """Whether a file gives a mesh; with a look at it and at what is left."""
    before, warnings = DataSnapshot.take(), []
    with temporary_scene(bpy.context) as workspace:
        materials = MaterialLibrary(warnings)
        library = MeshLibrary(workspace, materials, warnings)
        mesh = library.file(path)
        library.finish()
    materials.remove_unused()
    looks = (bpy.types.Material, bpy.types.Image)
    left = [block for block in before.added() if not isinstance(block, looks)]
    assert left == ([] if mesh is None else [mesh])
    if mesh is None:
        assert before.added() == []
        assert any("mesh not used: " in line for line in warnings)
    else:
        points = np.array([vertex.co for vertex in mesh.vertices])
        assert np.isfinite(points).all() and np.abs(points).max() <= LARGEST_COORDINATE
        assert not mesh.validate()
        before.remove_added()
    assert all("\n" not in line for line in warnings)
    return mesh is not None
