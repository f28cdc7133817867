"""The door for mechanisms: a moving picture, a .blend file, objects in a scene.

    film = render(pendulum, sol, "pendulum.gif")
    write_blend(pendulum, sol, "pendulum.blend", kind="armature")

This module can be imported without Blender; what it offers then says how to get it.
"""

from __future__ import annotations

import math
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import ArgumentError
from .errors import NoBlenderError, RenderError

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
SIZES = (16, 8192)  # pixels, least and greatest side
LONGEST = 100_000  # frames
ROUNDING = 1e-9  # frames, so that the last frame is not lost to rounding


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
    target = _target(path, FILMS)
    _check_size(size, even=target.suffix.lower() == ".mp4")
    play = _play(mechanism, sol)
    around = _times(sol, fps, start, end)
    times = around
    if target.suffix.lower() == ".png":
        first, last = float(around[0]), _end(sol, end)
        times = np.array([_instant(sol, (first + last) / 2.0 if at is None else at)])
    elif at is not None:
        raise ArgumentError(f"at: only a .png shows one instant, got a {target.suffix}")
    bpy = _blender()
    from .blender.mechanism.shooting import Shot, shoot

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
    target = _target(path, (".blend",))
    _check_kind(kind)
    _check_size(size)
    play = _play(mechanism, sol)
    times = _times(sol, fps, start, end)
    bpy = _blender()
    from .blender.mechanism.shooting import Shot, save_scene

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
        frame_start: the frame of the first key.
        start, end: s, of the part that is shown; the whole motion if none.

    Returns:
        The new collection of the scene that holds all objects.

    Raises:
        ArgumentError: for arguments that do not fit.
        RigError: for a mechanism too large for an armature.
    """
    _check_kind(kind)
    _blender()
    from .blender.mechanism.play import enter_play

    render_settings = context.scene.render
    fps = render_settings.fps / render_settings.fps_base
    times = _times(sol, fps, start, end)
    return enter_play(context, _play(mechanism, sol), times, fps, int(frame_start), kind)


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
    if sol.mechanism is not mechanism:
        raise ArgumentError(
            f"sol: wanted a motion of '{mechanism.name}', got one of '{sol.mechanism.name}'"
        )
    _blender()
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


def _target(path: str | os.PathLike[str], suffixes: tuple[str, ...]) -> Path:
    target = Path(path)
    if target.suffix.lower() not in suffixes:
        raise ArgumentError(f"path: wanted a name in {', '.join(suffixes)}, got '{target}'")
    if not target.absolute().parent.is_dir():
        raise RenderError(f"{target}: its folder does not exist; make it first")
    return target


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise ArgumentError(f"kind: wanted one of {', '.join(KINDS)}, got {kind!r}")


def _check_size(size: tuple[int, int], even: bool = False) -> None:
    low, high = SIZES
    whole = len(size) == 2 and all(isinstance(side, int | np.integer) for side in size)
    if not whole or not all(low <= side <= high and not (even and side % 2) for side in size):
        wanted = "two even numbers" if even else "two whole numbers"
        raise ArgumentError(f"size: wanted {wanted} of pixels, {low} to {high}, got {size!r}")


def _times(
    sol: MechanismSolution, fps: float, start: float | None, end: float | None
) -> FloatArray:
    """The times of all frames, s."""
    if not (math.isfinite(fps) and 0.01 <= fps <= 1000.0):
        raise ArgumentError(f"fps: wanted a number from 0.01 to 1000, got {fps!r}")
    first = _instant(sol, sol.trajectory.times[0] if start is None else start, "start")
    last = _instant(sol, _end(sol, end), "end")
    if last < first:
        raise ArgumentError(f"end: wanted a time from the start, {first:g} s, on, got {last:g} s")
    if (last - first) * fps > LONGEST:
        raise ArgumentError(f"start, end: wanted at most {LONGEST} frames, got {last - first:g} s")
    count = int(np.floor((last - first) * fps + ROUNDING)) + 1
    times: FloatArray = first + np.arange(count) / fps
    return times


def _end(sol: MechanismSolution, end: float | None) -> float:
    return float(sol.trajectory.times[-1] if end is None else end)


def _instant(sol: MechanismSolution, t: float, name: str = "at") -> float:
    """A time within the motion."""
    first, last = float(sol.trajectory.times[0]), float(sol.trajectory.times[-1])
    if not first <= t <= last:
        raise ArgumentError(f"{name}: wanted a time from {first:g} s to {last:g} s, got {t!r}")
    return float(t)
