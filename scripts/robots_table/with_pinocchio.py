"""Robot files in our core and in pinocchio: which of them load, and the poses of all links.

Run by `dev.py robots`, in the environment of the benchmark of the dynamics.
"""

import importlib
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from package import load_package

from robots_table.poses import difference, random_poses
from robots_table.task import Finding, work_through


def prepare(_: Finding) -> Callable[[Path], Finding]:
    """Load both packages."""
    load_package()
    importlib.import_module("pinocchio")
    return look


def look(file: Path) -> Finding:
    """What both make of a file: "loads", "reason" why not, "own_error", "difference".

    Of a .xacro file pinocchio gets what it expands to.
    """
    from dynarig.core.dynamics import compile_robot
    from dynarig.core.errors import DynarigError
    from dynarig.core.urdf import load_urdf

    pin = importlib.import_module("pinocchio")
    read = partial(pin.buildModelFromUrdf, str(file))
    try:
        robot = load_urdf(file)
        model = compile_robot(robot)
    except DynarigError as error:
        return {**loaded(read)[1], "own_error": str(error)}
    if file.suffix == ".xacro":
        read = partial(pin.buildModelFromXML, robot.text)
    theirs, finding = loaded(read)
    if theirs is not None:
        finding["difference"] = largest_difference(pin, theirs, model)
    return finding


def loaded(read: Callable[[], Any]) -> tuple[Any, Finding]:
    """The peer's model, None where it does not load; and that as a finding."""
    try:
        return read(), {"loads": True}
    except Exception as error:  # it raises what C++ throws
        return None, {"loads": False, "reason": " ".join(str(error).split())}


def largest_difference(pin: Any, theirs: Any, model: Any) -> float:
    """Of all links' poses, at the random poses."""
    from dynarig.core.dynamics import link_poses

    data = theirs.createData()
    body = pin.FrameType.BODY
    missing = [name for name in model.link_names if not theirs.existFrame(name, body)]
    assert not missing, f"pinocchio has no link {missing}"
    frames = [theirs.getFrameId(name, body) for name in model.link_names]
    worst = 0.0
    for q in random_poses(model):
        pin.framesForwardKinematics(theirs, data, their_q(theirs, model.joint_values(q)))
        found = np.array([data.oMf[index].homogeneous for index in frames])
        worst = max(worst, difference(link_poses(model, q), found))
    return worst


def their_q(theirs: Any, values: Mapping[str, Any]) -> Any:
    """The peer's coordinates: joints without limits as (cos, sin), quaternions scalar last."""
    q = np.zeros(theirs.nq)
    # joint 0 is the world
    for index in range(1, theirs.njoints):
        joint, value = theirs.joints[index], values[theirs.names[index]]
        start = joint.idx_q
        if joint.nq == 1:
            q[start] = value[0]
        elif joint.nq == 2:
            q[start : start + 2] = np.cos(value[0]), np.sin(value[0])
        elif joint.nq == 7:
            q[start : start + 7] = value[[0, 1, 2, 4, 5, 6, 3]]
        else:
            raise NotImplementedError(f"joint '{theirs.names[index]}': {joint.shortname()}")
    return q


if __name__ == "__main__":
    work_through(prepare)
