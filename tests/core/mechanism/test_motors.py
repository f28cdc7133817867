"""Motors on joints: torques, servos and prescribed motions against closed forms and balances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ...close import assert_close

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0.2 0 0"/><mass value="2"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="fore"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tip"><inertial><origin xyz="0.1 0 0"/><mass value="0.5"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="fore"/>
    <origin xyz="0.4 0 0"/><axis xyz="0 1 0"/></joint>
  <joint name="wrist" type="continuous"><parent link="fore"/><child link="tip"/>
    <origin xyz="0.2 0 0"/><axis xyz="0 0 1"/><mimic joint="elbow" multiplier="0.5"/></joint>
</robot>"""


def wheel(*motors: Any, **start: Any) -> Any:
    """A planar wheel of 0.5 kg m^2 about its centre."""
    from dynarig.core.mechanism import Mechanism, planar

    world, hinge = planar.World("world"), planar.Revolute("hinge", **start)
    mechanism = Mechanism("wheel", [world, hinge, planar.Body("body", I=0.5), *motors])
    mechanism.chain(*list(mechanism.components.values())[:3])
    return mechanism


def lever(*motors: Any, **start: Any) -> Any:
    """A planar pendulum: 1 kg at 1 m, 0.1 kg m^2, level at 0."""
    from dynarig.core.mechanism import Mechanism, planar

    world, hinge = planar.World("world", g=10.0), planar.Revolute("hinge", **start)
    rod, body = planar.FixedTranslation("rod"), planar.Body("body")
    mechanism = Mechanism("lever", [world, hinge, rod, body, *motors])
    mechanism.chain(world, hinge, rod, body)
    return mechanism


def arm(*motors: Any, g: float = 10.0) -> Any:
    from dynarig.core.mechanism import Mechanism, spatial
    from dynarig.core.urdf import parse_urdf

    world = spatial.World("world", g=g)
    robot = spatial.Robot("arm", parse_urdf(ARM), q0={"shoulder": 0.3, "elbow": -0.4})
    mechanism = Mechanism("robot", [world, robot, *motors])
    mechanism.connect(world.frame_b, robot.frame_a)
    return mechanism


def test_a_constant_torque_spins_a_wheel_up() -> None:
    from dynarig.core.mechanism import planar

    sol = wheel(planar.TorqueMotor("motor", joint="hinge", tau=0.25)).simulate(4.0)
    t = np.linspace(0.0, 4.0, 9)
    # positions within the rounding of one step over seconds, 5e-13 to 2e-12 by the build of BLAS
    assert_close(sol(t, "hinge.phi"), 0.25 * t**2, atol=1e-11)
    assert_close(sol(t, "motor.tau"), 0.25, atol=0.0)
    assert_close(sol(t, "motor.power"), 0.25 * 0.5 * t, atol=1e-12)
    assert_close(sol(t, "motor.phi"), 0.25 * t**2, atol=1e-11)
    assert_close(sol(t, "motor.w"), 0.5 * t, atol=1e-12)
    assert sol.trajectory.energy_drift < 1e-12


def test_a_torque_of_time_and_one_of_the_state() -> None:
    from dynarig.core.mechanism import planar

    t = np.linspace(0.0, 3.0, 13)
    motor = planar.TorqueMotor("motor", joint="hinge", tau=lambda t: 2.0 * math.cos(2.0 * t))
    sol = wheel(motor).simulate(3.0, tolerance=1e-11)
    assert_close(sol(t, "hinge.phi"), 1.0 - np.cos(2.0 * t), atol=1e-10)
    assert_close(sol(t, "motor.tau"), 2.0 * np.cos(2.0 * t), atol=1e-14)
    spring = planar.TorqueMotor("motor", joint="hinge", tau=lambda t, phi, w: -2.0 * phi - 0.5 * w)
    sol = wheel(spring, phi0=1.0).simulate(3.0, tolerance=1e-11)
    decay, omega = 0.5, math.sqrt(4.0 - 0.25)
    wave = np.cos(omega * t) + decay / omega * np.sin(omega * t)
    assert_close(sol(t, "hinge.phi"), np.exp(-decay * t) * wave, atol=1e-10)
    by_hand = -2.0 * sol(t, "hinge.phi") - 0.5 * sol(t, "hinge.w")
    assert_close(sol(t, "motor.tau"), by_hand, atol=1e-15)


def test_a_velocity_servo_comes_up_to_speed() -> None:
    from dynarig.core.mechanism import planar

    t = np.linspace(0.0, 3.0, 13)
    servo = planar.VelocityServo("servo", joint="hinge", w_ref=6.0, gain=0.75)
    sol = wheel(servo).simulate(3.0, tolerance=1e-11)
    assert_close(sol(t, "hinge.w"), 6.0 * (1.0 - np.exp(-1.5 * t)), atol=1e-9)
    assert_close(sol(t, "servo.tau"), 0.75 * (6.0 - sol(t, "hinge.w")), atol=1e-14)
    # with a limit it first accelerates at tau_max / I, until gain (w_ref - w) is below it
    servo = planar.VelocityServo("servo", joint="hinge", w_ref=6.0, gain=0.75, tau_max=1.5)
    sol = wheel(servo).simulate(3.0, tolerance=1e-11)
    switch = 4.0 / 3.0
    w = np.where(t < switch, 3.0 * t, 6.0 - 2.0 * np.exp(-1.5 * (t - switch)))
    assert_close(sol(t, "hinge.w"), w, atol=1e-8)
    assert_close(sol([0.0, 1.0], "servo.tau"), 1.5, atol=0.0)
    # against a load the steady state lags by load / gain
    load = planar.WorldTorque("load", torque=-0.3)
    mechanism = wheel(planar.VelocityServo("servo", joint="hinge", w_ref=6.0, gain=0.75), load)
    mechanism.connect(mechanism.components["body"].frame_a, load.frame_b)
    assert_close(mechanism.simulate(30.0)(30.0, "hinge.w"), 6.0 - 0.4, atol=1e-6)


def test_a_position_servo_holds_against_gravity() -> None:
    from dynarig.core.mechanism import planar

    servo = planar.PositionServo("servo", joint="hinge", phi_ref=0.6, kp=200.0, kd=40.0)
    sol = lever(servo).simulate(8.0, tolerance=1e-9)
    phi = sol(8.0, "hinge.phi")
    # kp (phi_ref - phi) = m g l cos phi
    assert_close(200.0 * (0.6 - phi), 10.0 * np.cos(phi), atol=1e-6)
    assert_close(sol(8.0, "hinge.w"), 0.0, atol=1e-8)
    assert_close(sol(8.0, "servo.tau"), 10.0 * np.cos(phi), atol=1e-6)
    assert sol.trajectory.energy_drift < 1e-7


def test_a_position_servo_without_enough_torque_gives_way() -> None:
    from dynarig.core.mechanism import planar

    servo = planar.PositionServo("servo", joint="hinge", phi_ref=0.6, kp=200.0, kd=40.0, tau_max=4)
    sol = lever(servo).simulate(0.5, tolerance=1e-9)
    t = np.linspace(0.0, 0.4, 5)
    assert_close(sol(t, "servo.tau"), 4.0, atol=0.0)
    assert_close(sol(0.0, "hinge.a"), (4.0 - 10.0) / 1.1, atol=1e-12)
    assert sol(0.4, "hinge.phi") < -0.2


def test_a_moving_reference_is_followed_with_its_rate() -> None:
    from dynarig.core.mechanism import planar

    # started on the reference at its rate, what is left is the torque for the acceleration
    servo = planar.PositionServo(
        "servo", joint="hinge", phi_ref=lambda t: 2.0 * t, w_ref=2.0, kp=50.0, kd=5.0
    )
    sol = wheel(servo, w0=2.0).simulate(2.0, tolerance=1e-11)
    t = np.linspace(0.0, 2.0, 9)
    assert_close(sol(t, "hinge.phi"), 2.0 * t, atol=1e-11)
    braking = planar.PositionServo(
        "servo", joint="hinge", phi_ref=lambda t: 2.0 * t, kp=50.0, kd=5.0
    )
    sol = wheel(braking, w0=2.0).simulate(9.0, tolerance=1e-11)
    assert_close(sol(9.0, "hinge.phi"), 18.0 - 0.2, atol=1e-8)  # lags by kd w / kp


def test_on_a_slide_the_torque_is_a_force() -> None:
    from dynarig.core.mechanism import Mechanism, planar

    world, slide = planar.World("world", g=10.0), planar.Prismatic("slide", n=(0, 1))
    body = planar.Body("body", m=2.0)
    lift = planar.TorqueMotor("lift", joint=slide, tau=25.0)
    mechanism = Mechanism("lift", [world, slide, body, lift])
    mechanism.chain(world, slide, body)
    sol = mechanism.simulate(1.0)
    assert_close(sol(1.0, "slide.s"), 0.5 * (25.0 / 2.0 - 10.0), atol=1e-12)
    assert_close(sol(1.0, "lift.power"), 25.0 * 2.5, atol=1e-12)
    # the joint passes it on
    assert_close(sol(1.0, "slide.f"), 25.0, atol=1e-12)


def test_motors_act_on_joints_run_through_backwards_as_on_others() -> None:
    from dynarig.core.mechanism import Mechanism, planar

    world, hinge = planar.World("world"), planar.Revolute("hinge")
    body, motor = planar.Body("body", I=0.5), planar.TorqueMotor("motor", joint="hinge", tau=0.25)
    mechanism = Mechanism("backwards", [world, hinge, body, motor])
    mechanism.connect(world.frame_b, hinge.frame_b)
    mechanism.connect(hinge.frame_a, body.frame_a)
    sol = mechanism.simulate(1.0)
    assert_close(sol(1.0, "hinge.phi"), 0.25, atol=1e-12)
    assert_close(sol(1.0, "body.phi"), -0.25, atol=1e-12)


def test_servos_and_torsion_springs_act_on_the_turn_of_a_screw() -> None:
    from dynarig.core.mechanism import Mechanism, spatial

    def screw(*elements: Any) -> Any:
        world, joint = spatial.World("world", g=0.0), spatial.Screw("screw", n=(0, 0, 1), pitch=0.5)
        nut = spatial.Body("nut", m=2.0, I=np.diag([0.3, 0.3, 0.5]))
        mechanism = Mechanism("screw", [world, joint, nut, *elements])
        mechanism.chain(world, joint, nut)
        return mechanism.simulate(2.0, tolerance=1e-11)

    # the turn sees I + m pitch^2 = 1
    t = np.linspace(0.0, 2.0, 9)
    sol = screw(spatial.VelocityServo("servo", joint="screw", w_ref=3.0, gain=1.5))
    assert_close(sol(t, "servo.w"), 3.0 * (1.0 - np.exp(-1.5 * t)), atol=1e-9)
    assert_close(sol(t, "nut.v")[:, 2], 0.5 * sol(t, "servo.w"), atol=1e-12)
    sol = screw(
        spatial.TorsionSpring("spring", joint="screw", c=4.0, phi_rel0=9.0),
        spatial.PositionServo("servo", joint="screw", phi_ref=9.0, kp=5.0),
    )
    assert_close(sol(t, "servo.phi"), 9.0 - 9.0 * np.cos(3.0 * t), atol=1e-8)


def swing(t: float) -> tuple[float, float, float]:
    return (
        0.7 * math.sin(3.0 * t) + 0.2 * t,
        2.1 * math.cos(3.0 * t) + 0.2,
        -6.3 * math.sin(3.0 * t),
    )


@pytest.mark.parametrize("given", [1, 2, 3])
def test_a_prescribed_motion_is_kept_and_its_torque_is_inverse_dynamics(given: int) -> None:
    from dynarig.core.dynamics import inverse_dynamics
    from dynarig.core.mechanism import spatial

    names = ("phi", "w", "a")[:given]
    functions = {name: (lambda t, i=i: swing(t)[i]) for i, name in enumerate(names)}
    drive = spatial.PrescribedMotion("drive", joint="arm.shoulder", **functions)
    damper = spatial.TorsionDamper("damper", joint="arm.elbow", d=0.3)
    sol = arm(drive, damper).simulate(2.0, tolerance=1e-10)
    t = np.linspace(0.0, 2.0, 41)
    phi, w, a = np.array([swing(float(time)) for time in t]).T
    bound = 1e-14 if given == 3 else 1e-8
    assert_close(sol(t, "arm.shoulder.phi"), phi, atol=1e-14)
    assert_close(sol(t, "drive.phi"), phi, atol=1e-14)
    assert_close(sol(t, "drive.w"), w, atol=bound)
    assert_close(sol(t, "drive.a"), a, atol=bound)
    at = sol.at(t)
    needed = inverse_dynamics(sol.compiled.model, at.q, at.v, at.a)
    assert_close(sol(t, "drive.tau"), needed[:, 0], atol=1e-11)
    assert_close(needed[:, 1], -0.3 * at.v[:, 1], atol=1e-11)
    # the joint passes on what the drive exerts
    assert_close(sol(t, "arm.shoulder.tau"), sol(t, "drive.tau"), atol=1e-11)
    assert_close(sol(t, "drive.power"), sol(t, "drive.tau") * w, atol=1e-7)
    assert np.abs(needed[:, 0]).max() > 1.0
    # the drive puts in what the energy gains and the damper loses
    assert sol.trajectory.energy_drift < 1e-7
    nodes, weights = np.polynomial.legendre.leggauss(60)
    put_in = weights @ (sol(1 + nodes, "drive.power") - sol(1 + nodes, "damper.lossPower"))
    assert_close(sol.trajectory.energy[-1] - sol.trajectory.energy[0], put_in, atol=1e-6)


def test_a_held_joint_carries_the_weight() -> None:
    from dynarig.core.mechanism import planar

    sol = lever(planar.PrescribedMotion("hold", joint="hinge", phi=0.5)).simulate(1.0)
    t = np.linspace(0.0, 1.0, 5)
    assert_close(sol(t, "hinge.phi"), 0.5, atol=0.0)
    assert_close(sol(t, "hold.tau"), 10.0 * np.cos(0.5), atol=1e-14)
    assert_close(sol(t, "hinge.tau"), 10.0 * np.cos(0.5), atol=1e-14)
    assert_close(sol(t, "hold.power"), 0.0, atol=0.0)


@pytest.mark.parametrize("omega", [0.3, 1.0, 7.0, 20.0])
def test_a_smooth_function_is_met_to_the_stated_digits(omega: float) -> None:
    from dynarig.core.mechanism.motors.derivatives import Smooth

    smooth = Smooth(lambda t: math.sin(omega * t))
    for t in (0.0, 0.1234, 5.0, 77.7):
        x, v, a = smooth(t)
        assert_close(x, math.sin(omega * t), atol=1e-12)
        assert_close(v, omega * math.cos(omega * t), atol=1e-9 * omega)
        assert_close(a, -(omega**2) * math.sin(omega * t), atol=1e-8 * max(omega**2, 1.0))


@pytest.mark.parametrize("f", [abs, lambda t: max(t, 0.0) ** 2, math.sin, lambda t: t**5])
def test_values_and_derivatives_of_the_smooth_function_belong_together(f: Any) -> None:
    from dynarig.core.mechanism.motors.derivatives import SPACING, Smooth

    smooth = Smooth(f)
    nodes, weights = np.polynomial.legendre.leggauss(5)
    change = np.zeros(2)
    for k in range(-10, 10):  # integrals over the pieces, which are exact for polynomials
        times = SPACING * (k + 0.5 * (nodes + 1.0))
        change += 0.5 * SPACING * (weights @ np.array([smooth(t)[1:] for t in times]))
    start, end = (np.array(smooth(10 * side * SPACING)[:2]) for side in (-1, 1))
    assert_close(change, end - start, atol=1e-12)
    # away from a corner nothing of it is seen
    assert_close(smooth(5 * SPACING)[0], f(5 * SPACING), atol=1e-15)


def test_a_corner_kicks_what_hangs_on_the_joint() -> None:
    from dynarig.core.mechanism import Mechanism, planar

    # at 0.5 s the first link gets 2 rad/s at once; the second then moves by itself
    world, hinge, knee = planar.World("world", g=0), planar.Revolute("j"), planar.Revolute("k")
    rod = planar.BodyShape("rod", r=(1, 0), m=1, I=0.1)
    end = planar.Body("end", r_cm=(0.5, 0), m=1, I=0.1)
    drive = planar.PrescribedMotion("drive", joint=hinge, phi=lambda t: 2.0 * max(t - 0.5, 0.0))
    mechanism = Mechanism("whip", [world, hinge, rod, knee, end, drive])
    mechanism.chain(world, hinge, rod, knee, end)
    sol = mechanism.simulate(1.0)
    # the balance of angular momentum about the knee: 0.35 (2 + w) + 0.5 * 2 = 0
    assert_close(sol(0.505, "k.w"), -2.0 - 1.0 / 0.35, atol=0.05)
    # by Runge-Kutta from the kick on
    assert_close(sol(1.0, "k.phi"), -2.0007, atol=2e-4)
    assert_close(sol(1.0, "k.w"), -2.7204, atol=2e-4)


def test_motors_find_the_joints_of_a_robot_by_name_or_itself() -> None:
    from dynarig.core.dynamics import forward_dynamics
    from dynarig.core.mechanism import Mechanism, spatial
    from dynarig.core.urdf import parse_urdf

    world, robot = spatial.World("world"), spatial.Robot("arm", parse_urdf(ARM))
    shoulder = spatial.TorqueMotor("m1", joint=robot.joint("shoulder"), tau=3.0)
    elbow = spatial.TorqueMotor("m2", joint="arm.elbow", tau=-1.0)
    wrist = spatial.TorqueMotor("m3", joint="arm.wrist", tau=0.5)  # follows the elbow by half
    mechanism = Mechanism("robot", [world, robot, shoulder, elbow, wrist])
    mechanism.connect(world.frame_b, robot.frame_a)
    compiled = mechanism.compile()
    assert len(compiled.system.joint_forces) == 1
    q, v = np.array([[0.3, -0.4], [1.0, 2.0]]), np.array([[1.0, 0.5], [-0.7, 0.2]])
    a = compiled.system.accelerations(np.zeros(2), q, v)
    expected = forward_dynamics(compiled.model, q, v, np.tile([3.0, -0.75], (2, 1)))
    assert_close(a, expected, atol=1e-12)
    sol = mechanism.simulate(0.5, tolerance=1e-11)
    assert_close(sol(0.5, "m3.phi"), 0.5 * sol(0.5, "arm.elbow.phi"), atol=1e-14)
    assert_close(sol(0.5, "m3.power"), 0.5 * sol(0.5, "m3.w"), atol=1e-14)
    assert sol.trajectory.energy_drift < 1e-9


def test_runs_are_the_same_to_the_bit_and_batches_to_rounding() -> None:
    from dynarig.core.mechanism import spatial

    def run() -> Any:
        servo = spatial.PositionServo(
            "servo",
            joint="arm.shoulder",
            phi_ref=lambda t: math.sin(t),
            kp=80.0,
            kd=3.0,
            tau_max=40,
        )
        push = spatial.TorqueMotor("push", joint="arm.elbow", tau=lambda t, phi, w: -phi - w * t)
        return arm(servo, push).simulate(1.0, tolerance=1e-8)

    first, second = run(), run()
    assert np.array_equal(first.trajectory.q, second.trajectory.q)
    t = np.array([[0.1, 0.4], [0.7, 1.0]])
    for name in ("servo.tau", "push.tau", "push.power", "servo.w"):
        together = first(t, name)
        for index in np.ndindex(t.shape):
            assert_close(together[index], first(t[index], name), atol=1e-12)


def test_errors_name_the_motor_the_joint_and_those_that_exist() -> None:
    from dynarig.core.errors import ArgumentError, ModelError, SimulationError
    from dynarig.core.mechanism import planar, spatial

    unknown = planar.TorqueMotor("motor", joint="hing", tau=1.0)
    with pytest.raises(ModelError, match=r"wheel: TorqueMotor 'motor': joint: no joint 'hing'"):
        wheel(unknown).compile()
    with pytest.raises(ModelError, match=r"no joint 'knee'.*arm.shoulder, arm.elbow, arm.wrist"):
        arm(spatial.TorqueMotor("motor", joint="knee", tau=1.0)).compile()
    stranger = planar.TorqueMotor("motor", joint=planar.Revolute("other"), tau=1.0)
    with pytest.raises(ModelError, match=r"joint: Revolute 'other' is not in this.* are: hinge"):
        wheel(stranger).compile()
    with pytest.raises(ArgumentError, match=r"of one coordinate .* Spherical 's', a spherical"):
        spatial.TorqueMotor("motor", joint=spatial.Spherical("s"), tau=1.0)
    with pytest.raises(ArgumentError, match=r"TorqueMotor 'motor': joint: wanted a joint such as"):
        planar.TorqueMotor("motor", joint=planar.Body("body"), tau=1.0)
    with pytest.raises(ArgumentError, match=r"'motor': tau: wanted a function of t or of \(t, p"):
        planar.TorqueMotor("motor", joint="hinge", tau=lambda t, phi: 1.0)
    with pytest.raises(ArgumentError, match=r"PositionServo 'servo': kp: wanted a number of 0"):
        planar.PositionServo("servo", joint="hinge", phi_ref=1.0, kp=-1.0)
    with pytest.raises(ArgumentError, match=r"VelocityServo 'servo': tau_max: wanted .* above 0"):
        planar.VelocityServo("servo", joint="hinge", w_ref=1.0, gain=1.0, tau_max=0.0)
    with pytest.raises(SimulationError, match=r"'motor': tau: wanted a finite number at t = 0"):
        wheel(planar.TorqueMotor("motor", joint="hinge", tau=lambda t: (1, 2))).simulate(1.0)


def test_errors_of_prescribed_motions() -> None:
    from dynarig.core.errors import ArgumentError, ModelError
    from dynarig.core.mechanism import planar, spatial

    twice = [planar.PrescribedMotion(name, joint="hinge", phi=1.0) for name in "ab"]
    with pytest.raises(ModelError, match=r"'a' and PrescribedMotion 'b' both .*Revolute 'hinge'"):
        wheel(*twice).compile()
    with pytest.raises(ModelError, match=r"'a': joint 'arm.wrist' follows 'arm.elbow'; prescribe"):
        arm(spatial.PrescribedMotion("a", joint="arm.wrist", phi=1.0)).compile()
    with pytest.raises(ArgumentError, match=r"PrescribedMotion 'a': a: wanted w with it"):
        planar.PrescribedMotion("a", joint="hinge", phi=math.sin, a=math.sin)
    with pytest.raises(ArgumentError, match=r"'a': w: wanted a function of t, with phi one too"):
        planar.PrescribedMotion("a", joint="hinge", phi=1.0, w=math.sin)


LIMITED = """<robot name="arm"><link name="base"/>
  <link name="upper"><inertial><origin xyz="0.2 0 0"/><mass value="2"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit effort="3" velocity="1"/></joint>
</robot>"""


def limited(**limit: Any) -> Any:
    from dynarig.core.mechanism import Mechanism, spatial
    from dynarig.core.urdf import parse_urdf

    world, robot = spatial.World("world", g=0.0), spatial.Robot("arm", parse_urdf(LIMITED))
    position = spatial.PositionServo("p", joint="arm.shoulder", phi_ref=9.0, kp=1e3, **limit)
    speed = spatial.VelocityServo("v", joint="arm.shoulder", w_ref=-9.0, gain=1e2, **limit)
    mechanism = Mechanism("robot", [world, robot, position, speed])
    mechanism.connect(world.frame_b, robot.frame_a)
    return mechanism


def test_servos_on_joints_of_a_robot_have_the_limits_of_its_file() -> None:
    for limit, most in (({}, 3.0), ({"tau_max": 5.0}, 5.0), ({"tau_max": math.inf}, math.inf)):
        mechanism = limited(**limit)
        sol = mechanism.simulate([0.0, 1e-3])
        assert_close(sol(0.0, "p.tau"), min(most, 9e3), atol=1e-9)
        assert_close(sol(0.0, "v.tau"), -min(most, 900.0), atol=1e-9)
    # a torque that is given is given
    from dynarig.core.mechanism import spatial

    mechanism.add(spatial.TorqueMotor("t", joint="arm.shoulder", tau=7.0))
    assert_close(mechanism.simulate([0.0, 1e-3])(0.0, "t.tau"), 7.0, atol=0.0)


def test_time_stepping_takes_drives_with_their_slopes_and_each_with_its_limit() -> None:
    from dynarig.core.mechanism import spatial

    mechanism = limited()
    mechanism.add(
        spatial.TorsionSpring("s", joint="arm.shoulder", c=2.0),
        spatial.TorsionDamper("d", joint="arm.shoulder", d=0.5),
    )
    compiled = mechanism.compile(method="time-stepping")
    elements = compiled.system.joint_elements
    at = compiled.system.moment(0.0, np.array([0.3]), np.array([-0.2]))
    # the spring has no limit, and both servos have theirs
    assert [float(own.effort[0]) for own in elements] == [math.inf, 3.0, 3.0]
    gains = [(0.5, 2.0), (0.0, 1e3), (1e2, 0.0)]
    asked = [-2.0 * 0.3 + 0.5 * 0.2, 1e3 * (9.0 - 0.3), 1e2 * (-9.0 + 0.2)]
    for own, (damping, stiffness), force in zip(elements, gains, asked, strict=True):
        given = own.implicit(at)
        assert_close(np.concatenate(given), [force, damping, stiffness], atol=1e-9)
        assert_close(own.joint_forces(at), np.clip(force, -own.effort, own.effort), atol=1e-9)
    # together they are what they are in the other schemes
    assert len(mechanism.compile().system.joint_elements) == 1
    total = mechanism.compile().system.applied_forces(at)
    assert_close(compiled.system.applied_forces(at), total, atol=1e-9)
