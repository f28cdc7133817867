"""Draw the figures of the documents from the library itself: `python docs/figures/make.py`.

Every point and every axis in them comes out of the functions that the pages explain.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "scripts")]

from package import load_package  # noqa: E402

load_package()

from drawing import BLUE, FLAT, GREY, INK, PALE, Drawing, view_from  # noqa: E402
from dynarig.core.arrays import FloatArray  # noqa: E402
from dynarig.core.frames import (  # noqa: E402
    bone_matrix,
    child_bone_pose,
    lift_planar,
    rotation_from_axis_angle,
    transform,
    transform_2d,
    transform_from_xyz_rpy,
    transform_points,
)
from multipliers import index_3  # noqa: E402

PURPLE = "#7d4a96"
BONE = "#dfe8f3"


def bone() -> str:
    """A bone's frame, with its head, its tail, and its roll."""
    head, tail, roll = np.array([0.0, 1.25, 0.5]), np.array([-0.2, 2.2, 1.35]), np.radians(40.0)
    rest, unrolled = bone_matrix(head, tail, roll), bone_matrix(head, tail)
    d = Drawing(
        "A bone: its head is the origin of its frame, Y points to the tail, roll turns X and Z",
        (620, 330), view_from(32.0, 24.0), 180.0, (110.0, 220.0),
    )  # fmt: skip
    d.frame(np.eye(4), 0.55)
    d.label((0, 0, 0), "armature", (0.0, 42.0), GREY, "middle")
    draw_bone(d, rest, float(np.linalg.norm(tail - head)))
    # X and Z as they would be at roll 0
    for column, name in ((0, "X at roll 0"), (2, "Z at roll 0")):
        tip = head + 0.62 * unrolled[:3, column]
        d.line(head, tip, color=GREY, width=1.4, dash="5 4")
        along = d.at(tip) - d.at(head)
        offset = along / np.hypot(*along) * 8.0 + (0.0, 5.0)
        d.label(tip, name, tuple(offset), GREY, "start" if along[0] > 0 else "end", size=13)
        d.arc(head, 0.5 * unrolled[:3, column], rest[:3, 1], roll, PURPLE)
    for column in (0, 2):
        along = rotation_from_axis_angle(rest[:3, 1], 0.5 * roll) @ unrolled[:3, column]
        d.label(head + 0.66 * along, "roll", (0.0, 5.0), PURPLE, "middle")
    d.frame(rest, 0.72, ("X", "", "Z"))
    d.arrow(tail, tail + 0.3 * rest[:3, 1], "#2e8b3d")
    d.label(tail + 0.3 * rest[:3, 1], "Y", (14.0, 4.0), "#2e8b3d", "middle", italic=True)
    d.dot(head)
    d.label(head, "head", (12.0, 22.0))
    d.dot(tail)
    d.label(tail, "tail", (-14.0, -4.0), anchor="end")
    return d.svg()


def parent_tail() -> str:
    """A child bone does not move when its parent's tail does."""
    parent = bone_matrix((0.0, 0.0, 0.0), (0.0, 0.3, 1.0))
    child = bone_matrix((0.0, 1.7, 0.75), (0.0, 2.4, 1.0))
    turned = child_bone_pose("revolute", 0.0, parent)
    pose = child_bone_pose("revolute", 0.0, child, parent, turned)
    d = Drawing(
        "Two bones: lengthening the parent leaves the child where it is",
        (620, 280), view_from(0.0, 0.0), 160.0, (130.0, 245.0),
    )  # fmt: skip
    draw_bone(d, parent, 1.45, ghost=True)
    draw_bone(d, parent, 0.8)
    draw_bone(d, pose, 0.75)
    d.line(parent[:3, 3], pose[:3, 3], color=PURPLE, width=1.6, dash="6 4")
    d.label((0.0, 0.9, 0.38), "parent rest⁻¹ · child rest", (0.0, 22.0), PURPLE, "start", size=14)
    for at, name, offset in (
        ((0, 0, 0), "parent head", (-12.0, 22.0)),
        (0.8 * parent[:3, 1], "tail", (-14.0, 2.0)),
        (1.45 * parent[:3, 1], "or here", (-14.0, 2.0)),
    ):
        d.dot(at, GREY if name == "or here" else INK)
        d.label(at, name, offset, GREY if name == "or here" else INK, "middle" if offset[1] > 9
                else "end")  # fmt: skip
    d.dot(pose[:3, 3])
    d.label(pose[:3, 3], "child head", (-12.0, -6.0), anchor="end")
    return d.svg()


def urdf_joint() -> str:
    """A joint of a URDF: parent frame, joint origin, axis, child frame."""
    parent = np.eye(4)
    parent_from_joint = transform_from_xyz_rpy((0.1, 1.5, 0.5), (0.3, 0.15, 0.1))
    axis, angle = np.array([0.0, 0.0, 1.0]), np.radians(70.0)
    zero = parent @ parent_from_joint
    child = zero @ transform(rotation_from_axis_angle(axis, angle), np.zeros(3))
    d = Drawing(
        "A revolute joint: the joint frame in the parent link, its axis, and the turned child link",
        (640, 340), view_from(34.0, 30.0), 175.0, (110.0, 210.0),
    )  # fmt: skip
    d.frame(parent, 0.62)
    d.label((0, 0, 0), "parent link", (10.0, 62.0), GREY, "middle")
    origin, along = zero[:3, 3], zero[:3, :3] @ axis
    d.arrow((0, 0, 0), origin, GREY, 1.6, dash="6 4")
    d.label(0.5 * origin, "origin xyz, rpy", (-6.0, -16.0), GREY, "middle")
    d.line(origin - 0.7 * along, origin + 1.25 * along, color=PURPLE, width=1.4, dash="12 4 2 4")
    d.label(origin + 1.25 * along, "axis", (-12.0, 4.0), PURPLE, "end")
    # the joint frame, which is the child's at 0
    for column, name in ((0, "x at 0"), (1, "y at 0")):
        tip = origin + 0.7 * zero[:3, column]
        d.line(origin, tip, color=GREY, width=1.4, dash="5 4")
        d.label(tip, name, (8.0, 8.0), GREY, size=13)
    corners = np.array([[0, -0.1, 0], [0.95, -0.1, 0], [0.95, 0.1, 0], [0, 0.1, 0]])
    d.line(*transform_points(child, corners), color=PALE, fill=BONE, opacity=0.75)
    d.frame(child, 0.7, ("x", "y", ""))
    d.label(origin + 0.7 * along, "z", (16.0, 0.0), BLUE, "middle", italic=True)
    d.label(child[:3, :3] @ (0.95, 0, 0) + origin, "child link", (10.0, 12.0), GREY)
    middle = d.arc(origin, 0.45 * zero[:3, 0], along, angle, PURPLE)
    d.label(middle, "q", (-2.0, 20.0), PURPLE, "middle", italic=True)
    d.dot(origin)
    return d.svg()


def planar_pendulum() -> str:
    """The frames of a planar pendulum: world, the hinge's two, and the body's."""
    phi = np.radians(-38.0)
    hinge = transform_2d(phi, (0.0, 0.0))
    body = hinge @ transform_2d(0.0, (1.0, 0.0))
    d = Drawing(
        "A planar pendulum: the world frame, the hinge turned by phi, the body at the rod's end",
        (620, 370), FLAT, 300.0, (190.0, 120.0),
    )  # fmt: skip
    end = body[:2, 2]
    d.line((0, 0), end, color=PALE, width=9.0)
    d.line((0.0, 0.0), (1.05, 0.0), color=GREY, width=1.2, dash="5 4")
    flat_frame(d, np.eye(3), 0.3, dash="", names=("x", "y"))
    d.label((0.0, 0.3), "world, and frame a of the hinge", (16.0, -6.0), GREY)
    flat_frame(d, hinge, 0.3, names=("", ""))
    d.label((hinge @ (0.3, 0.0, 1.0))[:2], "frame b of the hinge", (-28.0, 22.0), GREY, "end")
    flat_frame(d, body, 0.26, names=("x", "y"))
    d.label(end, "body: m, I", (-20.0, 26.0), GREY, "end")
    d.arc((0, 0, 0), (0.62, 0.0, 0.0), (0.0, 0.0, 1.0), phi, PURPLE)
    d.label((0.66, -0.2), "φ < 0", (0.0, 0.0), PURPLE, italic=True)
    d.label((hinge @ (0.66, 0.05, 1.0))[:2], "L", (6.0, -4.0), INK, italic=True)
    d.arrow((1.24, -0.2), (1.24, -0.5), BLUE)
    d.label((1.24, -0.5), "g", (12.0, -8.0), BLUE, italic=True)
    d.dot((0, 0))
    d.dot(end)
    return d.svg()


def draw_bone(d: Drawing, matrix: FloatArray, length: float, ghost: bool = False) -> None:
    """Blender's octahedron between head and tail."""
    w, h = 0.1 * length, 0.12 * length
    ring = np.array([[w, h, w], [w, h, -w], [-w, h, -w], [-w, h, w]])
    head, tail = transform_points(matrix, [[0, 0, 0], [0, length, 0]])
    corners = transform_points(matrix, ring)
    style = {"color": PALE, "width": 1.2, "dash": "4 4"} if ghost else {"color": "#6b7f99",
            "width": 1.2}  # fmt: skip
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        for end in (head, tail):
            d.line(end, a, b, fill="none" if ghost else BONE, opacity=0.8, **style)


def flat_frame(
    d: Drawing, pose: FloatArray, length: float, names: tuple[str, str], dash: str = ""
) -> None:
    """A planar frame (3, 3), by its x and y axes."""
    lifted = lift_planar(pose)
    lifted[:3, 2] = 0.0
    d.frame(lifted, length, (*names, ""), dash)


FIGURES = {
    "bone.svg": bone,
    "index-3.svg": index_3,
    "parent-tail.svg": parent_tail,
    "planar-pendulum.svg": planar_pendulum,
    "urdf-joint.svg": urdf_joint,
}

if __name__ == "__main__":
    for name, draw in FIGURES.items():
        (HERE / name).write_text(draw(), encoding="utf-8")
