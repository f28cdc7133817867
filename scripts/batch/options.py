"""The command line: every option with its unit, checked at the door. Needs no Blender."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal, NoReturn

from .contact_options import ContactOptions, add_contact, check_contact, split_contact
from .import_options import ImportChoices, add_import, split_imports
from .values import (
    coordinate,
    frame_rate,
    frame_size,
    is_negative_number,
    not_negative,
    number,
    positive,
)

DURATION = 5.0  # s, of a simulation where none is asked for
SIZE = (960, 540)
LOOP_TOLERANCE = 1e-4  # m
LAST_FRAME = 1_048_574  # Blender's own
NEGATIVE_NAME = re.compile(r"-(?!-).*=")  # a joint's name and value that look like an option
ROBOTS = (".urdf", ".xacro")  # endings of a robot's file, which no value of an option has
SUFFIXES = {
    "out": ".blend",
    "render": ".mp4",
    "sheet": ".png",
    "csv": ".csv",
    "npz": ".npz",
    "report": ".json",
}

EPILOG = """\
Blender reads the options before `--`, this script those after it:

    blender --background --python scripts/simulate_urdf.py -- arm.urdf --out arm.blend

With plain Python and Blender's wheel (pip install bpy):

    python scripts/simulate_urdf.py arm.urdf --out arm.blend --render arm.mp4 --pose elbow=-1.2

A robot that lands on the floor, its motors holding the pose:

    python scripts/simulate_urdf.py solo12.urdf --floating-base --scheme friction --ground floor \\
        --drop 0.5 --hold --pose FL_HFE=0.8 FL_KFE=-1.6 FR_HFE=0.8 FR_KFE=-1.6 HL_HFE=-0.8 \\
        HL_KFE=1.6 HR_HFE=-0.8 HR_KFE=1.6 --render landing.mp4

Exit codes: 0 all products are written; 1 they are not, one line on stderr says why; 2 the
command line is wrong.
"""


@dataclass(frozen=True)
class Options:
    """What was asked for. All numbers are finite and in range; paths are as given."""

    robot: Path
    duration: float | None  # s; None: DURATION, or all of the table
    fps: float
    trajectory: Path | None
    loops: Path | None
    pose: tuple[tuple[str, float], ...]  # coordinate, value in rad or m
    floating_base: bool
    gravity: tuple[float, float, float]  # m/s^2
    damping: float  # N m s/rad, N s/m
    limits: bool
    interpolation: Literal["BEZIER", "LINEAR"]
    tolerance: float | None  # rad or m
    loop_tolerance: float  # m
    out: Path | None
    render: Path | None
    sheet: Path | None
    csv: Path | None
    npz: Path | None
    report: Path | None
    size: tuple[int, int]  # pixels
    contact: ContactOptions
    imports: ImportChoices

    def products(self) -> dict[str, Path]:
        """The files to write, by the name of their option."""
        named = {name: getattr(self, name) for name in SUFFIXES}
        return {name: path for name, path in named.items() if path is not None}


class OneLineParser(argparse.ArgumentParser):
    """Ends on a wrong command line with exit code 2 and a single line."""

    def error(self, message: str) -> NoReturn:
        """Print the line and end."""
        message = " ".join(message.split()).encode("utf-8", "backslashreplace").decode("utf-8")
        self.exit(2, f"{self.prog}: {message} (--help explains the options)\n")


def read_options(arguments: list[str]) -> Options:
    """Read the arguments, or end the program as argparse does: --help 0, an error 2."""
    top = parser()
    check_pose_names(top, arguments)
    # a space before them, or argparse takes -1e-3 and -inf for options
    shielded = [f" {text}" if is_negative_number(text) else text for text in arguments]
    contact, given = split_contact(vars(top.parse_args(robot_first(shielded))))
    imports, given = split_imports(given)
    try:
        options = Options(
            **{
                **given,
                "contact": contact,
                "imports": imports,
                "pose": tuple(given["pose"]),
                "gravity": tuple(given["gravity"]),
            }
        )
        check_together(options)
    except ValueError as error:
        top.error(str(error))
    return options


def check_pose_names(top: argparse.ArgumentParser, arguments: list[str]) -> None:
    """End with a hint where argparse would take the name of a joint for an option."""
    for before, text in pairwise(arguments):
        option = before.startswith("--")
        pose = before.startswith("--pose") if option else "=" in before
        if pose and NEGATIVE_NAME.match(text):
            top.error(f"{text}: a joint whose name begins with '-' is given as --pose={text}")


def robot_first(arguments: list[str]) -> list[str]:
    """The arguments, a robot that stands after one of several values before them all.

    argparse would take it for one more of these: `--pose elbow=1 arm.urdf`.
    """
    for index, (before, text) in enumerate(pairwise(arguments), start=1):
        is_robot = text.lower().endswith(ROBOTS) and "=" not in text and not text.startswith("-")
        if is_robot and not before.startswith("-"):
            return [text, *arguments[:index], *arguments[index + 1 :]]
    return arguments


def check_together(options: Options) -> None:
    """Check what depends on several options; ValueError says what is wrong."""
    products = options.products()
    if not products:
        known = ", ".join(f"--{name}" for name in SUFFIXES)
        raise ValueError(f"name at least one product: {known}")
    for name, path in products.items():
        if path.suffix.lower() != SUFFIXES[name]:
            raise ValueError(f"--{name} {path}: wanted a file name that ends in {SUFFIXES[name]}")
    duration = DURATION if options.duration is None else options.duration
    frames = duration * options.fps
    # the scene's frames begin at 1
    if frames < 1.0 or frames > LAST_FRAME - 1:
        raise ValueError(
            f"--duration {duration:g} at --fps {options.fps:g} is {frames:g} frames; "
            f"wanted 1 to {LAST_FRAME - 1}"
        )
    if options.trajectory is not None and options.pose:
        raise ValueError("--pose has no meaning with --trajectory, whose first row is the start")
    names = [name for name, _ in options.pose]
    refuse_twice("--pose", names)
    refuse_twice("--xacro-arg", [name for name, _ in options.imports.xacro_args])
    given_motion = options.trajectory is not None
    check_contact(options.contact, options.floating_base, tuple(names), given_motion)


def refuse_twice(option: str, names: Sequence[str]) -> None:
    """Raise ValueError where an option gives one name two values."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{option} names {', '.join(twice)} twice")


def parser() -> argparse.ArgumentParser:
    """The command line, option by option."""
    top = OneLineParser(
        prog="simulate_urdf.py",
        description="Import a URDF robot into an empty Blender scene, let it move by its own "
        "dynamics, bake the motion to keyframes, and write what is asked for.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument(
        "robot",
        type=Path,
        metavar="ROBOT.urdf|ROBOT.xacro",
        help="the robot description; one whose name ends in .xacro is expanded first",
    )
    add_products(top)
    add_import(top)
    add_motion(top)
    add_contact(top)
    add_keys(top)
    return top


def add_products(top: argparse.ArgumentParser) -> None:
    """What to write."""
    group = top.add_argument_group("products (at least one)")

    def product(name: str, text: str) -> None:
        group.add_argument(f"--{name}", type=Path, metavar=f"X{SUFFIXES[name]}", help=text)

    product("out", "the scene: robot, keyframes, floor, camera and light")
    product("render", "the film (H.264)")
    product("sheet", "a contact sheet of the film: 12 frames with their times")
    product(
        "csv",
        "times (s), joint values (rad, m), velocities (.v) and accelerations (.a), one row a frame",
    )
    product("npz", "all of the motion: what --trajectory reads back without loss between frames")
    product("report", "the figures of the printed table, for programs")
    group.add_argument(
        "--size",
        type=frame_size,
        metavar="WxH",
        default=SIZE,
        help=f"size of the film in pixels, even numbers (default: {SIZE[0]}x{SIZE[1]})",
    )


def add_motion(top: argparse.ArgumentParser) -> None:
    """How the robot moves."""
    group = top.add_argument_group("motion")
    group.add_argument(
        "--duration",
        type=positive,
        metavar="S",
        help="length of the motion in seconds, rounded down to whole frames "
        f"(default: {DURATION:g}, or all of --trajectory)",
    )
    group.add_argument(
        "--pose",
        type=coordinate,
        metavar="JOINT=VALUE",
        nargs="+",
        action="extend",
        default=[],
        help="start values in rad or m, inside the joint's limits; joints of several coordinates "
        "as in the table: JOINT.x, JOINT.qw (default: 0, or the limit nearest to it); with --loops "
        "these joints stay there as far as the loops allow, and the others close them",
    )
    group.add_argument(
        "--trajectory",
        type=Path,
        metavar="X.csv|X.npz",
        help="bake this motion instead of simulating: what --npz wrote, or a table with a column "
        "`time` (s), then joints by name (rad, m), and perhaps their velocities and accelerations "
        "(JOINT.v, JOINT.a)",
    )
    group.add_argument(
        "--loops",
        type=Path,
        metavar="X.json",
        help="closed loops: a list of joints between two links, such as "
        '[{"kind": "hinge", "a": {"link": "base", "xyz": [0.4, 0, 0], "axis": [0, 1, 0]}, '
        '"b": {"link": "rod", "xyz": [0.2, 0, 0]}}], in m and in the links\' own coordinates; a '
        "link null is the world; instead of an axis all three by rpy; axes that one end does not "
        "name are as the other has them where the robot starts, and without any the axis is that "
        "of b's joint (a's, if b does not move); kinds: ball, hinge, weld, universal, "
        "cylindrical, prismatic, screw (with a lead), point_on_line, point_on_plane, distance "
        "(with a length, or the distance where the robot starts), planar_hinge; and perhaps a name",
    )
    group.add_argument(
        "--floating-base",
        action="store_true",
        help="the robot's root moves freely; else it is held",
    )
    group.add_argument(
        "--gravity",
        type=number,
        nargs=3,
        metavar=("X", "Y", "Z"),
        default=(0.0, 0.0, -9.81),
        help="in m/s^2 (default: 0 0 -9.81)",
    )
    group.add_argument(
        "--damping",
        type=not_negative,
        metavar="D",
        default=0.0,
        help="added to every joint but floating ones, in N m s/rad or N s/m (default: 0)",
    )
    group.add_argument(
        "--no-limits",
        dest="limits",
        action="store_false",
        help="let joints pass the limits of the description",
    )


def add_keys(top: argparse.ArgumentParser) -> None:
    """How the motion becomes keyframes."""
    group = top.add_argument_group("keyframes")
    group.add_argument(
        "--fps",
        type=frame_rate,
        metavar="N",
        default=24.0,
        help="frames per second; frame 1 is time 0 (default: 24)",
    )
    group.add_argument(
        "--interpolation",
        choices=("BEZIER", "LINEAR"),
        default="BEZIER",
        help="between keys: BEZIER with the exact slopes, or straight lines (default: BEZIER)",
    )
    group.add_argument(
        "--tolerance",
        type=positive,
        metavar="T",
        help="add keys between frames until the motion is that near to the simulation, in rad or "
        "m (default: keys at whole frames only, and where contacts want them)",
    )
    group.add_argument(
        "--loop-tolerance",
        type=positive,
        metavar="M",
        default=LOOP_TOLERANCE,
        help="add keys between frames until closed loops open by no more, in m "
        f"(default: {LOOP_TOLERANCE:g})",
    )
    group.add_argument(
        "--no-impact-keys",
        dest="impact_keys",
        action="store_false",
        help="no keys at the very times of hits, and none between frames to follow contacts",
    )


def own_arguments(in_blender: bool) -> list[str]:
    """The arguments meant for this script: those after `--`, where Blender read the ones before."""
    if in_blender:
        return sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    return sys.argv[1:]
