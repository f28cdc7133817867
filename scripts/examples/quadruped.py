"""A quadruped that dances: a trunk that moves freely, servos in hips and knees, elastic pads.

    blender --background --python scripts/examples/quadruped.py

or `python scripts/examples/quadruped.py` after `pip install bpy`. It writes quadruped.gif and
quadruped.blend into the current folder; without Blender it prints the numbers alone.
"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # scripts/, where package.py is
from package import load_package

load_package()
from dynarig.addon.render import NoBlenderError, render, write_blend
from dynarig.core.mechanism import Mechanism, spatial

BONE = {"r": (0, 0, -0.28), "diameter": 0.06, "density": 500.0}  # m, kg/m^3
JOINT, SERVO = {"n": (0, 1, 0), "rotor_inertia": 0.05}, {"kp": 400.0, "kd": 20.0}  # SI units


def dance(leg, gain):
    """An angle over time, rad: the legs bend one after the other, more and more at first."""
    return lambda t: gain * (0.6 + 0.2 * min(t, 1) * math.sin(2 * math.pi * (t + leg / 4)))


def main(folder=".", **picture):
    """Build, simulate, print, render; return the solution and the film."""
    size = {"r": (0.7, 0, 0), "width": 0.38, "height": 0.12}
    trunk = spatial.BodyBox("trunk", r0=(0, 0, 0.45), density=230.0, **size)
    robot = Mechanism("quadruped", [spatial.World("world"), trunk])
    for leg, (x, y) in enumerate([(0.1, 0.2), (0.1, -0.2), (0.6, -0.2), (0.6, 0.2)]):
        side = spatial.FixedTranslation(f"side {leg}", r=(x, y, 0))
        hip = spatial.Revolute(f"hip {leg}", phi0=0.6, **JOINT)
        thigh = spatial.BodyCylinder(f"thigh {leg}", color=(0.10, 0.56, 0.62), **BONE)
        knee = spatial.Revolute(f"knee {leg}", phi0=-1.2, **JOINT)
        shin = spatial.BodyCylinder(f"shin {leg}", color=(0.33, 0.45, 0.80), **BONE)
        grip = spatial.Spring(f"grip {leg}", c=4000.0)  # N/m, holds the foot on its pad
        pad = spatial.Fixed(f"pad {leg}", r=(x, y, 0))
        robot.add(side, hip, thigh, knee, shin, grip, pad)
        robot.connect(trunk.frame_a, side.frame_a)
        robot.chain(side, hip, thigh, knee, shin, grip)
        robot.connect(grip.frame_b, pad.frame_b)
        for joint, gain in (hip, 1), (knee, -2):
            target = {"joint": joint, "phi_ref": dance(leg, gain)}
            robot.add(spatial.PositionServo(f"{joint.name} servo", **target, **SERVO))
    sol = robot.simulate(3.0, rtol=1e-6, atol=1e-6)
    print(f"after 3 s the trunk is at {sol(3.0, 'trunk.r_cm').round(3)} m")
    try:
        write_blend(robot, sol, f"{folder}/quadruped.blend", kind="armature")
        return sol, render(robot, sol, f"{folder}/quadruped.gif", **picture)
    except NoBlenderError as hint:
        return sol, print(hint)


if __name__ == "__main__":
    main()
