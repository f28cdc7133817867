"""glTF files for tests: a mesh of triangles in a few nodes, as documents that a test may change."""

import base64
import json
import struct

import numpy as np

FLOAT, SHORT = 5126, 5123  # types of components: float32, uint16


def gltf_parts(points, faces, nodes=({"mesh": 0},), roots=(0,), colours=None):
    """JSON document and buffer: positions first, then indices, then RGBA for each point."""
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": list(roots)}],
        "nodes": list(nodes),
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": 0}],
        "bufferViews": [],
        "accessors": [],
    }
    bounds = {"min": np.min(points, axis=0).tolist(), "max": np.max(points, axis=0).tolist()}
    buffer = added(document, b"", points, "VEC3", FLOAT, **bounds)
    buffer = added(document, buffer, np.ravel(faces), "SCALAR", SHORT)
    if colours is not None:
        document["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = 2
        buffer = added(document, buffer, colours, "VEC4", FLOAT)
    return document, buffer


def added(document, buffer, values, kind, component, **more):
    """The buffer with an accessor's values behind, on a multiple of four bytes."""
    buffer += b"\0" * (-len(buffer) % 4)
    data = np.asarray(values).astype("<f4" if component == FLOAT else "<u2").tobytes()
    view = {"buffer": 0, "byteOffset": len(buffer), "byteLength": len(data)}
    document["accessors"].append(
        {
            "bufferView": len(document["bufferViews"]),
            "componentType": component,
            "count": len(values),
            "type": kind,
            **more,
        }
    )
    document["bufferViews"].append(view)
    document["buffers"][0]["byteLength"] = len(buffer) + len(data)
    return buffer + data


def binary(document, buffer):
    """The bytes of a .glb file."""
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    buffer += b"\0" * (-len(buffer) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(buffer), b"BIN\0") + buffer
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def embedded(document, buffer):
    """The bytes of a .gltf file that holds its buffer."""
    return json.dumps({**document, "buffers": [buffer_in(buffer)]}).encode()


def buffer_in(buffer):
    """A buffer as a data URI."""
    data = base64.b64encode(buffer).decode()
    return {"byteLength": len(buffer), "uri": f"data:application/octet-stream;base64,{data}"}
