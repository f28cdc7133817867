"""What holds when any bytes are read: a robot that can be read again, or one clear line."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from pathlib import Path

from dynarig.core.errors import UrdfError
from dynarig.core.urdf import Robot, load_urdf, parse_urdf
from dynarig.core.urdf.writing import write_urdf

from .corpus import FuzzFile
from .random_robots import same_robot

SLOWEST = 5.0  # s of the processor that reading a file may take
LONGEST = 3000  # characters of a message: one line that a person reads
REFUSALS = (
    ("not XML", r"not well-formed|<\?xml|<!DOCTYPE|<!ENTITY|surrogate|nested|file is empty"),
    ("xacro", r"xacro"),
    ("no robot", r"not the root|has no <link>"),
    ("too large", r"wanted at most"),
    ("number", r"finite number|wanted numbers|above 0|0 or above|no direction|flattens"),
    ("no tree", r"no joint's child|cycle|already the child|both '|link '.*does not exist"),
    ("mimic", r"in a circle"),
    ("same name", r"a second (link|joint) named"),
    ("joint type", r"type .*(unknown|allowed)|attribute type"),
    ("left out", r"needs "),
    ("no model", r"^model: "),
)


@dataclass(frozen=True)
class Reading:
    """The robot or why there is none, the seconds it took, and what is against the laws."""

    robot: Robot | None
    refusal: str
    seconds: float
    fault: str = ""


def read(file: FuzzFile, path: Path) -> Reading:
    """Read a file that lies at `path`, and look whether all laws hold."""
    start = time.process_time()
    robot, refusal, fault = None, "", ""
    try:
        robot = load_urdf(path)
    except UrdfError as error:
        refusal = str(error)
    except Exception as error:  # this is what is looked for
        fault = f"{type(error).__name__} leaves the parser: {error}"
    seconds = time.process_time() - start
    fault = fault or _fault(file, path, robot, refusal, seconds)
    return Reading(robot, refusal, seconds, fault)


def refusal_kind(message: str) -> str:
    """In a word, why a file was refused; "other" where no known reason fits."""
    for kind, pattern in REFUSALS:
        if re.search(pattern, message):
            return kind
    return "other"


def _fault(file: FuzzFile, path: Path, robot: Robot | None, refusal: str, seconds: float) -> str:
    if seconds > SLOWEST:
        return f"read for {seconds:.1f} s"
    if robot is None:
        if file.robot is not None:
            return f"a valid robot is refused: {refusal}"
        if not refusal.startswith(f"{path}:"):
            return f"the message does not begin with the file: {refusal}"
        return _line_fault(refusal)
    if file.robot is not None and not same_robot(robot, file.robot):
        return "a valid robot is not read as it was made"
    plain, again = parse_urdf(file.data, path), parse_urdf(robot.text, path)
    # how the bytes were decoded is a warning of the file alone
    if again != replace(plain, warnings=again.warnings):
        return "the robot's own text gives another robot"
    if _description(parse_urdf(write_urdf(plain))) != _description(plain):
        return "what is written of the robot gives another robot"
    return next(filter(None, map(_line_fault, robot.warnings)), "")


def _description(robot: Robot) -> tuple[object, ...]:
    """What a robot says, without where it says it."""
    materials = dict(robot.materials)
    return robot.name, robot.root, robot.links, robot.joints, materials


def _line_fault(message: str) -> str:
    if len(message) > LONGEST or len(message.splitlines()) != 1:
        return f"the message is not one line of at most {LONGEST} characters: {message[:LONGEST]!r}"
    return ""
