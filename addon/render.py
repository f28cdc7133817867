"""The door for mechanisms: a moving picture, a .blend file, objects in a scene.

    film = render(pendulum, sol, "pendulum.gif")
    write_blend(pendulum, sol, "pendulum.blend", kind="armature")

This module can be imported without Blender; what it offers then says how to get it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..core.errors import ArgumentError
from .errors import NoBlenderError
from .film_arguments import (
    check_motion,
    checked_fps,
    checked_frame,
    checked_size,
    frame_times,
    instant,
)
from .target import target_file

if TYPE_CHECKING:
    import bpy

    from ..core.mechanism.mechanism import Mechanism
    from ..core.mechanism.solution import MechanismSolution
    from ..core.mechanism.spatial import Robot
    from .blender.mechanism.play import Play
    from .film import Film

Kind = Literal["objects", "armature"]
KINDS: tuple[Kind, ...] = ("objects", "armature")
FILMS = (".gif", ".mp4", ".png")
FPS = 25.0  # frames per second; GIF counts hundredths of a second
SIZE = (640, 360)  # pixels


def render(
    mechanism: Mechanism,
    sol: MechanismSolution,
    path: str | os.PathLike[str],
    *,
    fps: float = FPS,
    size: tuple[int, int] = SIZE,
    start: float | None = None,
    end: float | None = None,
    at: float | None = None,
) -> Film:
    """Make a moving picture of a motion, or a single one, through Blender.

    The camera sees the whole motion from start to end: a planar mechanism from the front (x to
    the right, y up), another one from the front right with up against gravity. Blender needs no
    window and no GPU, and keeps nothing of it; a scene that is open stays as it is.

    Args:
        mechanism: what moves.
        sol: its motion.
        path: of the file, .gif, .mp4 or .png; one that is there is replaced.
        fps: frames per second.
        size: width and height in pixels; even numbers for .mp4.
        start, end: s, of the part that is shown; the whole motion if none.
        at: s, the instant that a .png shows; the middle if none.

    Returns:
        The film, whose `pixel` says where in the picture a point is.

    Raises:
        ArgumentError: for arguments that do not fit.
        NoBlenderError: in a Python without Blender.
        RenderError: where Blender cannot draw, or the file cannot be written.
    """
    target = target_file(path, FILMS)
    size = checked_size(size, even=target.suffix.lower() == ".mp4")
    check_motion(mechanism, sol)
    fps = checked_fps(fps)
    around = frame_times(sol, fps, start, end)
    times = around
    if target.suffix.lower() == ".png":
        last = float(sol.trajectory.times[-1] if end is None else end)
        middle = (float(around[0]) + last) / 2.0
        times = np.array([instant(sol, middle if at is None else at, "at")])
    elif at is not None:
        raise ArgumentError(f"at: only a .png shows one instant, got a {target.suffix}")
    bpy = _blender()
    from .blender.mechanism.shooting import Shot, shoot

    play = _play(mechanism, sol)
    return shoot(bpy.context, play, Shot(times, around, fps, size), target)


def write_blend(
    mechanism: Mechanism,
    sol: MechanismSolution,
    path: str | os.PathLike[str],
    *,
    kind: Kind = "objects",
    fps: float = FPS,
    size: tuple[int, int] = SIZE,
    start: float | None = None,
    end: float | None = None,
) -> Path:
    """Write a motion as a .blend file: keyframed objects or an armature, camera and light.

    The open session stays as it is and is not in the file, nor are its windows: Blender opens the
    file in the layout of the startup file (and remarks "Library file, loading empty scene", which
    it is not), in the scene, through whose camera 0 on the numeric pad looks.

    Args:
        mechanism: what moves.
        sol: its motion.
        path: of the file; one that is there is replaced.
        kind: 'objects': an empty for each link that moves, with keys of location and rotation;
            'armature': a bone for each link that a joint moves, with the joint's values as keys.
        fps: frames per second; the first frame is 1.
        size: of the camera's picture, pixels.
        start, end: s, of the part that is written; the whole motion if none.

    Returns:
        The path.

    Raises:
        ArgumentError, NoBlenderError, RenderError: as `render`.
        RigError: for a mechanism too large for an armature.
    """
    target = target_file(path, (".blend",))
    _check_kind(kind)
    size = checked_size(size)
    check_motion(mechanism, sol)
    fps = checked_fps(fps)
    times = frame_times(sol, fps, start, end)
    bpy = _blender()
    from .blender.mechanism.shooting import Shot, save_scene

    play = _play(mechanism, sol)
    save_scene(bpy.context, play, Shot(times, times, fps, size), target, kind)
    return target


def animate(
    context: bpy.types.Context,
    mechanism: Mechanism,
    sol: MechanismSolution,
    *,
    kind: Kind = "objects",
    frame_start: int = 1,
    start: float | None = None,
    end: float | None = None,
) -> bpy.types.Collection:
    """Put a motion into a scene as keyframed objects or an armature; on failure, nothing.

    Args:
        context: whose scene, at the scene's own frame rate.
        mechanism: what moves.
        sol: its motion.
        kind: see `write_blend`.
        frame_start: the frame of the first key; Blender counts to 1048574.
        start, end: s, of the part that is shown; the whole motion if none.

    Returns:
        The new collection of the scene that holds all objects.

    Raises:
        ArgumentError: for arguments that do not fit.
        RigError: for a mechanism too large for an armature.
    """
    _check_kind(kind)
    check_motion(mechanism, sol)
    bpy = _blender()
    if not isinstance(context, bpy.types.Context):
        raise ArgumentError(f"context: wanted Blender's context, as bpy.context, got {context!r}")
    from .blender.mechanism.play import enter_play

    render_settings = context.scene.render
    fps = render_settings.fps / render_settings.fps_base
    times = frame_times(sol, fps, start, end)
    first = checked_frame(frame_start, len(times))
    return enter_play(context, _play(mechanism, sol), times, fps, first, kind)


def _blender() -> Any:
    """The module bpy.

    Raises:
        NoBlenderError: where there is none.
    """
    try:
        import bpy
    except ImportError as error:
        raise NoBlenderError(
            f"pictures are made by Blender, which this Python cannot import ({error}): run the "
            "script as `blender --background --python SCRIPT.py`, or under Python 3.11 or 3.13 "
            "after `pip install bpy`"
        ) from error
    return bpy


def _play(mechanism: Mechanism, sol: MechanismSolution) -> Play:
    """What is set into a scene for a motion."""
    from ..core.mechanism.picture import picture
    from .blender.mechanism.play import Play
    from .blender.mechanism.robots import ShownRobot

    compiled = sol.compiled
    drawn, meshed = picture(compiled), _meshed_robots(mechanism)
    # those show what they look like, instead of what is drawn for want of it
    drawn = replace(
        drawn,
        solids=tuple(solid for solid in drawn.solids if solid.component not in meshed),
        lines=tuple(line for line in drawn.lines if line.component not in meshed),
    )
    robots = tuple(
        ShownRobot(
            robot.robot,
            {link.name: compiled.places.link(robot.frame(link.name)) for link in robot.robot.links},
        )
        for robot in meshed.values()
    )
    return Play(mechanism.name, drawn, sol.trajectory, compiled.tree, robots)


def _meshed_robots(mechanism: Mechanism) -> dict[str, Robot]:
    """The robots of a mechanism that have meshes, by name."""
    from ..core.mechanism.spatial import Robot
    from .blender.mechanism.robots import has_meshes

    robots = {name: part for name, part in mechanism.components.items() if isinstance(part, Robot)}
    return {name: robot for name, robot in robots.items() if has_meshes(robot.robot)}


def _check_kind(kind: Any) -> None:
    if not isinstance(kind, str) or kind not in KINDS:
        raise ArgumentError(f"kind: wanted one of {', '.join(KINDS)}, got {kind!r}")
