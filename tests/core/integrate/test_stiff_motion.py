"""Stiff forces: that they are found, that the change of scheme is reported, and what it costs."""

from dataclasses import replace

import numpy as np
import pytest
from dynarig.core.dynamics import System, compile_tree
from dynarig.core.errors import SimulationError
from dynarig.core.integrate.stiffness import CLEAR, STEPS, StiffnessWatch
from dynarig.core.mechanism import Body, Tree, TreeJoint
from dynarig.core.motion import Motion
from dynarig.core.simulate import run, simulate

from ...close import assert_close


class Strut:
    """A spring and a damper between a point of a frame and a point of the world."""

    def __init__(self, frame, point, anchor, stiffness, damping, length):
        self.frames = np.array([frame])
        self.point, self.anchor = np.append(point, 1.0), np.array(anchor)
        self.stiffness, self.damping, self.length = stiffness, damping, length

    def wrenches(self, at):
        frame = self.frames[0]
        place = (at.poses[..., frame, :, :] @ self.point)[..., :3]
        twist = at.velocities[..., frame, :]
        velocity = twist[..., 3:] + np.cross(twist[..., :3], place)
        far = place - self.anchor
        length = np.linalg.norm(far, axis=-1, keepdims=True)
        along = far / length
        speed = (along * velocity).sum(axis=-1, keepdims=True)
        force = -(self.stiffness * (length - self.length) + self.damping * speed) * along
        return np.concatenate((np.cross(place, force), force), axis=-1)[..., None, :]


class Bumper:
    """A spring and a damper that one coordinate meets beyond a place."""

    def __init__(self, index, place, stiffness, damping):
        self.index, self.place = index, place
        self.stiffness, self.damping = stiffness, damping

    def joint_forces(self, at):
        out = np.zeros_like(at.v)
        depth = np.maximum(at.q[..., self.index] - self.place, 0.0)
        speed = at.v[..., self.index]
        out[..., self.index] = -depth * (self.stiffness + self.damping * speed)
        return out


class Switch:
    """A force against the velocity, as large however small that is, and never zero."""

    def joint_forces(self, at):
        return np.where(at.v > 0.0, -1e3, 1e3)


class Spring:
    """A spring on one coordinate."""

    def __init__(self, index, stiffness):
        self.index, self.stiffness = index, stiffness

    def joint_forces(self, at):
        out = np.zeros_like(at.v)
        out[..., self.index] = -self.stiffness * at.q[..., self.index]
        return out


# the strut holds the tip of the rod, 1 m above; rates d / I = 1e6 and k / d = 1, in 1/s
STRUT = Strut(1, (1.0, 0.0, 0.0), (1.0, 0.0, 1.0), 1.1e6, 1.1e6, 0.9)


def creeping(model):
    """The angle of the rod 2 s later: d x' = -k x without inertia, x the stretch."""
    stretch = 0.1 * np.exp(-2.0)
    # where the tip is as far from the anchor as the strut is long then
    angles = np.linspace(-0.5, 0.0, 200_001)
    far = np.hypot(np.cos(angles) - 1.0, -np.sin(angles) - 1.0)
    return np.interp(0.9 + stretch, far, angles)


def test_the_rate_of_a_strut_between_frames_is_found(pendulum):
    model = compile_tree(pendulum(), gravity=(0.0, 0.0, 0.0))
    motion = Motion(System(model, frame_forces=(STRUT,)), None, 0.0, limits=True, passive=True)
    decay = motion.fastest_decay(0.0, motion.pack(0.0, np.zeros(1), np.zeros(1)))
    assert decay == pytest.approx(1e6, rel=1e-4)


def test_a_strut_of_a_million_per_second_is_passed_in_few_steps(pendulum):
    model = compile_tree(pendulum(), gravity=(0.0, 0.0, 0.0))
    motion = run(simulate(System(model, frame_forces=(STRUT,)), (0.0, 2.0)))
    assert motion.method == "rosenbrock"
    assert motion.steps < 700  # an explicit scheme needs three hundred thousand
    assert_close(motion.q[-1, 0], creeping(model), atol=1e-5)


def test_generalized_alpha_passes_it_too(pendulum):
    model = compile_tree(pendulum(), gravity=(0.0, 0.0, 0.0))
    system = System(model, frame_forces=(STRUT,))
    errors = [
        run(simulate(system, (0.0, 2.0), method="generalized-alpha", step=step)).q[-1, 0]
        - creeping(model)
        for step in (0.04, 0.02, 0.01)
    ]
    assert_close(errors, 0.0, atol=2e-3)
    assert abs(errors[2]) < abs(errors[0]) / 3.0


def test_gains_of_a_controller_are_seen_as_stiff(pendulum):
    model = compile_tree(pendulum(), gravity=(0.0, 0.0, 0.0))
    motion = run(simulate(model, (0.0, 1.0), (0.3,), tau=lambda t, q, v: -1e6 * v - 1e6 * q))
    assert motion.method == "rosenbrock"
    assert motion.steps < 500
    assert_close(motion.q[-1, 0], 0.3 * np.exp(-1.0), atol=1e-5)


def cart():
    """A cart on a rail along x, and a rod that hangs on it."""
    still = np.zeros((3, 3))
    turning = 0.1 * np.eye(3)
    return compile_tree(
        Tree(
            "cart",
            (
                Body("base", 0.0, np.zeros(3), still),
                Body("cart", 1.0, np.zeros(3), turning),
                Body("rod", 1.0, np.array([1.0, 0.0, 0.0]), turning),
            ),
            (
                TreeJoint("rail", "prismatic", "base", "cart", np.eye(4), np.array([1.0, 0, 0])),
                TreeJoint("hinge", "continuous", "cart", "rod", np.eye(4), np.array([0, 1.0, 0])),
            ),
            "base",
        )
    )


def test_a_stiff_spring_that_does_not_swing_is_found_on_the_way():
    # 1e6 rad/s without any damping: nothing decays, but stability holds DOP853 back
    model = cart()
    system = System(model, joint_forces=(Spring(0, 1e12),))
    motion = run(simulate(system, (0.0, 0.2), (0.0, 0.3), limits=False))
    assert motion.method == "dop853, then rosenbrock"
    assert motion.evaluations < 5000  # an explicit scheme needs 400,000
    slow = run(simulate(system, (0.0, 0.2), (0.0, 0.3), method="rosenbrock", limits=False))
    assert_close(motion.q[-1], slow.q[-1], atol=1e-4)


def test_a_spring_that_swings_is_followed_by_the_explicit_scheme():
    # 1e3 rad/s, drawn by 1 cm: its swings are the motion, and no implicit scheme may skip them
    model = cart()
    system = System(model, joint_forces=(Spring(0, 1e6),))
    motion = run(simulate(system, (0.0, 0.05), (0.01, 0.3), limits=False))
    assert motion.method == "dop853"
    assert motion.energy_drift < 1e-3


def test_a_bumper_that_is_met_on_the_way_changes_the_scheme(pendulum):
    model = compile_tree(pendulum())
    system = System(model, joint_forces=(Bumper(0, 1.0, 3e5, 3e7),))
    motion = run(simulate(system, np.linspace(0.0, 3.0, 31)))
    assert motion.method == "dop853, then rosenbrock"
    assert motion.steps < 2000
    # it comes to rest where the spring carries the weight
    depth = 9.81 * np.cos(1.0) / 3e5
    assert_close(motion.q[-1, 0], 1.0 + depth, atol=1e-5)


def test_slow_motion_stays_with_the_explicit_scheme(random_tree):
    model = compile_tree(random_tree(3, ["revolute", "spherical"], damping=0.05))
    motion = run(simulate(model, (0.0, 3.0)))
    assert motion.method == "dop853"


def test_damping_that_turns_stiff_is_followed_by_generalized_alpha(pendulum):
    model = compile_tree(pendulum(damping=1e5))
    motion = run(simulate(model, (0.0, 5.0), method="generalized-alpha", step=0.05))
    assert motion.q[-1, 0] == pytest.approx(9.81 / 1e5 * 5.0, rel=1e-2)


def test_stiffness_must_hold_over_several_steps():
    watch = StiffnessWatch()
    assert not any(watch.sees(2.0) for _ in range(STEPS - 1))
    assert watch.sees(2.0)
    # it starts over
    assert not any(watch.sees(2.0) for _ in range(STEPS - 1))
    # a few slow steps in a row make it forget, single ones do not
    assert not any(watch.sees(0.5) for _ in range(CLEAR))
    assert not any(watch.sees(value) for value in [2.0, 0.5] * (STEPS - 1))
    assert watch.sees(2.0)


def test_steps_that_are_too_long_are_told_by_time_step_and_joint(pendulum):
    model = compile_tree(replace(pendulum(), name="rod"))
    # whichever way the step goes, the force would have it go the other way
    system = System(model, joint_forces=(Switch(),))
    with pytest.raises(
        SimulationError,
        match=r"rod: at t = .* s the motion cannot be continued: Newton's iteration finds no end "
        r"of a step of 0.1 s; take shorter steps.*joint 'hinge'",
    ):
        run(simulate(system, (0.0, 3.0), method="generalized-alpha", step=0.1, spectral_radius=1.0))


@pytest.mark.parametrize("step", [0.05, 0.005])
@pytest.mark.parametrize("radius", [0.0, 0.8])
def test_generalized_alpha_passes_the_kinks_of_stops(pendulum, step, radius):
    # a stop of 300 rad/s pushes, never pulls, and its damper comes in by its depth
    model = compile_tree(pendulum(type="revolute", lower=-0.5, upper=0.8))
    options = {"method": "generalized-alpha", "step": step, "spectral_radius": radius}
    motion = run(simulate(model, (0.0, 2.0), **options))
    if radius == 0.0:
        assert_close(motion.q[-1, 0], 0.80007, atol=1e-4)
    assert motion.steps == round(2.0 / step)
