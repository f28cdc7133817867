"""A reader of binary glTF 2.0, made from its specification: where every vertex is at a time.

It knows what a game engine must know: nodes, skins, and animations as Blender samples them, which
are linear or steps. Its equations: sections on skins and appendix C on interpolation there.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
TYPES = {5120: "i1", 5121: "u1", 5122: "i2", 5123: "u2", 5125: "u4", 5126: "f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
# right, up, back of glTF are x, z, -y of Blender
BLENDER_FROM_GLTF = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])


@dataclass(frozen=True)
class Primitive:
    """One material's faces of a mesh, and the node that shows them."""

    node: int
    entries: dict[str, Any]


class Glb:
    """A file, read whole."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        chunks, start = {}, 12
        while start < length:
            size, kind = struct.unpack_from("<II", data, start)
            chunks[kind] = data[start + 8 : start + 8 + size]
            start += 8 + size
        self.json = json.loads(chunks[JSON_CHUNK])
        self._binary = chunks[BINARY_CHUNK]
        self.nodes = self.json["nodes"]
        self._parent = {
            child: index
            for index, node in enumerate(self.nodes)
            for child in node.get("children", ())
        }

    def accessor(self, index: int) -> np.ndarray:
        """The values (n,) or (n, width) of an accessor."""
        entry = self.json["accessors"][index]
        assert "sparse" not in entry
        width, dtype = WIDTHS[entry["type"]], np.dtype("<" + TYPES[entry["componentType"]])
        view = self.json["bufferViews"][entry["bufferView"]]
        assert view["buffer"] == 0
        start = view.get("byteOffset", 0) + entry.get("byteOffset", 0)
        stride = view.get("byteStride", width * dtype.itemsize)
        rows = np.ndarray(
            (entry["count"], width), dtype, self._binary, start, (stride, dtype.itemsize)
        )
        values = rows.astype(float)
        if entry.get("normalized"):
            values = np.maximum(values / np.iinfo(dtype).max, -1.0)
        return values[:, 0] if width == 1 else values

    def primitives(self) -> list[Primitive]:
        """Those of all meshes of the scene, for each node that shows them."""
        return [
            Primitive(index, entries)
            for index, node in enumerate(self.nodes)
            if "mesh" in node
            for entries in self.json["meshes"][node["mesh"]]["primitives"]
        ]

    def positions(self, primitive: Primitive, time: float) -> np.ndarray:
        """Where the vertices (n, 3) of a primitive are, m, in Blender's axes; s."""
        worlds = self._world_matrices(time)
        attributes = primitive.entries["attributes"]
        points = self.accessor(attributes["POSITION"])
        points = np.hstack([points, np.ones((len(points), 1))])
        skin = self.nodes[primitive.node].get("skin")
        if skin is None:
            moved = points @ worlds[primitive.node].T
        else:
            entries = self.json["skins"][skin]
            inverse = self.accessor(entries["inverseBindMatrices"]).reshape(-1, 4, 4)
            joints = np.array(
                [
                    worlds[joint] @ bind.T  # matrices of files run column by column
                    for joint, bind in zip(entries["joints"], inverse, strict=True)
                ]
            )
            places = self.accessor(attributes["JOINTS_0"]).astype(int)
            weights = self.accessor(attributes["WEIGHTS_0"])
            moved = np.einsum("nk,nkij,nj->ni", weights, joints[places], points)
        return moved[:, :3] @ BLENDER_FROM_GLTF.T

    def duration(self) -> float:
        """The last time of any animation, s."""
        samplers = [sampler for clip in self.json["animations"] for sampler in clip["samplers"]]
        return max(float(self.accessor(sampler["input"])[-1]) for sampler in samplers)

    def _world_matrices(self, time: float) -> list[np.ndarray]:
        moving: dict[tuple[int, str], np.ndarray] = {}
        for clip in self.json.get("animations", ()):
            for channel in clip["channels"]:
                target = channel["target"]
                sampler = clip["samplers"][channel["sampler"]]
                key = (target["node"], target["path"])
                assert key not in moving, "two animations of one value"
                moving[key] = self._sampled(sampler, time, target["path"])
        locals_ = [_local(node, index, moving) for index, node in enumerate(self.nodes)]
        worlds: list[np.ndarray] = []
        for index, local in enumerate(locals_):
            world, above = local, self._parent.get(index)
            while above is not None:
                world, above = locals_[above] @ world, self._parent.get(above)
            worlds.append(world)
        return worlds

    def _sampled(self, sampler: dict[str, Any], time: float, path: str) -> np.ndarray:
        times, values = self.accessor(sampler["input"]), self.accessor(sampler["output"])
        if time <= times[0] or time >= times[-1]:
            return values[0] if time <= times[0] else values[-1]
        k = int(np.searchsorted(times, time, "right")) - 1
        kind = sampler.get("interpolation", "LINEAR")
        if kind == "STEP":
            return values[k]
        assert kind == "LINEAR"
        s = (time - times[k]) / (times[k + 1] - times[k])
        if path == "rotation":
            return _slerp(values[k], values[k + 1], s)
        return (1.0 - s) * values[k] + s * values[k + 1]


def _slerp(a: np.ndarray, b: np.ndarray, s: float) -> np.ndarray:
    """The shorter way between unit quaternions."""
    cosine = float(a @ b)
    b, cosine = (-b, -cosine) if cosine < 0.0 else (b, cosine)
    angle = np.arccos(min(cosine, 1.0))
    if angle < 1e-6:
        return a
    return (np.sin((1.0 - s) * angle) * a + np.sin(s * angle) * b) / np.sin(angle)


def _local(node: dict[str, Any], index: int, moving: dict[tuple[int, str], np.ndarray]) -> Any:
    if "matrix" in node:
        return np.array(node["matrix"]).reshape(4, 4).T
    rest = {"translation": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)}
    at, turn, scale = (
        np.array(moving.get((index, path), node.get(path, rest[path])), dtype=float)
        for path in rest
    )
    x, y, z, w = turn
    rotation = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    local = np.eye(4)
    local[:3, :3], local[:3, 3] = rotation * scale, at
    return local
