"""Mechanisms with loops against closed forms, joints, and conservation laws."""

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import CRANK, chain, four_bar, slides, tree, turned

GRAVITY = 9.81


def moved(system, times, q, v, **options):
    from dynarig.core.simulate import run, simulate

    return run(simulate(system, times, q, v, **options))


def residuals(system, motion, times):
    """Largest residual and rate at any times."""
    at = system.moment(times, *motion.sample(times))
    positions = system.rows.at(at)
    return np.abs(positions.residual).max(), np.abs(system.rows.rates(at, positions)).max()


@pytest.mark.parametrize("kind", ["PlanarHinge", "Hinge"])  # two rows, five of which three too many
def test_a_four_bar_keeps_its_energy_over_twenty_turns(kind):
    system, q = four_bar(kind)
    times = np.linspace(0.0, 0.265 * 20, 50)
    # the rates of the other joints follow from the crank's
    with pytest.warns(UserWarning, match="have moved the initial velocities"):
        motion = moved(system, times, q, [12.0, 0.0, 0.0], tolerance=2e-9)
    assert motion.q[-1, 0] - motion.q[0, 0] > 20 * 2 * np.pi
    assert motion.energy_drift < 1e-8 * np.abs(motion.energy).max()
    place, rate = residuals(system, motion, np.linspace(0.0, times[-1], 777))
    assert place < 1e-11 and rate < 1e-10


def slider_crank(rod):
    """(System, q): a crank of radius 1 at 0.4 rad, a rod, and a slider on the x axis."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import PointOnLine, Port

    model = chain([CRANK, rod], gravity=(0, 0, 0))
    rail = PointOnLine(
        name="rail", a=Port(None), b=Port.at("rod1", [rod, 0, 0]), axis=[1.0, 0.0, 0.0]
    )
    crank = 0.4
    return System(model, constraints=(rail,)), np.array(
        [crank, -np.arcsin(np.sin(crank) / rod) - crank]
    )


def test_a_slider_crank_is_its_closed_form():
    """x = cos phi + sqrt(l^2 - sin^2 phi), and phi of the energy: T(phi) phi'^2 is constant."""
    from dynarig.core.dynamics import mass_matrix

    rod = 2.5
    system, q = slider_crank(rod)

    def rod_rate(phi):
        """d(rod angle against the crank)/d phi."""
        return -np.cos(phi) / np.sqrt(rod**2 - np.sin(phi) ** 2) - 1.0

    def inertia(phi):
        state = np.array([phi, -np.arcsin(np.sin(phi) / rod) - phi])
        rates = np.array([1.0, rod_rate(phi)])
        return rates @ mass_matrix(system.model, state) @ rates

    speed = 5.0
    v = speed * np.array([1.0, rod_rate(q[0])])
    times = np.linspace(0.0, 4.0, 200)
    motion = moved(system, times, q, v, tolerance=1e-11)
    phi = motion.q[:, 0]
    assert phi[-1] > 15.0
    assert_close(motion.q[:, 1], -np.arcsin(np.sin(phi) / rod) - phi, atol=1e-10)
    slider = motion.link_poses(times)[:, -1] @ [rod, 0, 0, 1]
    assert_close(slider[:, 0], np.cos(phi) + np.sqrt(rod**2 - np.sin(phi) ** 2), atol=1e-10)
    expected = speed * np.sqrt(inertia(q[0]) / np.array([inertia(own) for own in phi]))
    assert_close(motion.v[:, 0], expected, atol=1e-8)


def test_a_rod_from_a_fixed_point_is_a_spherical_joint():
    """A point mass on a rod moves as one on a ball joint does, in space."""
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.dynamics.constraints import Distance, Port
    from dynarig.core.mechanism import Body, TreeJoint

    length, start, speed = 0.7, np.array([0.6, -0.2, -0.3]), np.array([0.1, 1.3, -0.4])
    start *= length / np.linalg.norm(start)
    speed -= start * (speed @ start) / length**2
    free = slides([1.7], axes=("x", "y", "z"), gravity=(0, 0, -GRAVITY))
    rod = Distance(name="rod", a=Port(None), b=Port("on z0"), length=length)
    times = np.linspace(0.0, 3.0, 31)
    motion = moved(System(free, constraints=(rod,)), times, start, speed, tolerance=1e-11)

    # a body on a ball joint, with no inertia across the rod but that of its point mass
    along = start / length
    body = Body("bob", 1.7, start, 0.05 * np.outer(along, along))
    ball = TreeJoint("ball", "spherical", "base", "bob", np.eye(4), np.array([1.0, 0, 0]))
    model = compile_tree(tree("pendulum", [body], [ball]), gravity=(0, 0, -GRAVITY))
    omega = np.cross(start, speed) / length**2
    turning = moved(model, times, [1.0, 0, 0, 0], omega, tolerance=1e-11)
    bob = turning.link_poses(times)[:, -1] @ [*start, 1.0]
    assert_close(motion.q, bob[:, :3], atol=1e-8)
    # the tension is m (v^2 / l - g z / l)
    force = motion.constraint("rod", times).force[:, 0]
    squares = (motion.v**2).sum(axis=1)
    tension = 1.7 * (squares - GRAVITY * motion.q[:, 2]) / length
    assert_close(force, tension, atol=1e-8)


def disc(radius, mass):
    """A floating thin disc with its axis along z of its frame."""
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.mechanism import Body, TreeJoint

    inertia = mass * radius**2 * np.diag([0.25, 0.25, 0.5])
    body = Body("disc", mass, np.zeros(3), inertia)
    free = TreeJoint("free", "floating", "base", "disc", np.eye(4), np.zeros(3))
    return compile_tree(tree("rolling", [body], [free]), gravity=(0, 0, -GRAVITY))


def test_a_disc_rolls_down_a_slope_by_its_closed_form():
    """Upright on a plane that falls along x: s'' = 2/3 g sin(slope)."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Port, RollingWheel
    from dynarig.core.frames import quaternion_from_rotation, rotation_from_rpy

    radius, slope = 0.3, 0.2
    model = disc(radius, 2.0)
    plane = Port(None, turned(rotation_from_rpy([0, slope, 0])))
    wheel = RollingWheel(name="wheel", wheel=Port("disc"), radius=radius, plane=plane)
    normal, along = plane.link_from_port[:3, 2], plane.link_from_port[:3, 0]
    # the disc's axis lies across the slope
    rotation = plane.link_from_port[:3, :3] @ rotation_from_rpy([-np.pi / 2, 0, 0])
    q = np.concatenate((radius * normal, quaternion_from_rotation(rotation)))
    times = np.linspace(0.0, 1.5, 16)
    motion = moved(System(model, constraints=(wheel,)), times, q, np.zeros(6), tolerance=1e-11)
    travel = (motion.q[:, :3] - q[:3]) @ along
    assert_close(travel, GRAVITY * np.sin(slope) * times**2 / 3.0, atol=1e-9)
    assert_close((motion.q[:, :3] - q[:3]) @ normal, 0.0, atol=1e-11)
    told = motion.constraint("wheel", times).force
    # contact m g cos(slope), a third of m g sin(slope) along, nothing sideways; lambda pushes down
    assert_close(np.abs(told[:, 0]), 2.0 * GRAVITY * np.cos(slope), atol=1e-8)
    assert_close(np.abs(told[:, 1]), 2.0 * GRAVITY * np.sin(slope) / 3.0, atol=1e-8)
    assert_close(told[:, 2], 0.0, atol=1e-8)


def test_a_disc_rolls_in_a_circle_by_its_closed_form():
    """Leaning by a steady angle, with the spin that the moments about the contact ask for."""
    from dynarig.core.dynamics import System
    from dynarig.core.dynamics.constraints import Port, RollingWheel
    from dynarig.core.frames import quaternion_from_rotation

    radius, mass, lean, turn = 0.5, 1.0, 0.3, 1.1
    model = disc(radius, mass)
    wheel = RollingWheel(name="wheel", wheel=Port("disc"), radius=radius)
    axis = np.array([np.cos(lean), 0.0, np.sin(lean)])
    rotation = np.stack((np.cross([0.0, 1.0, 0.0], axis), [0.0, 1.0, 0.0], axis), axis=1)
    assert_close(rotation @ rotation.T, np.eye(3), atol=1e-15)
    up = np.array([-np.sin(lean), 0.0, np.cos(lean)])
    center = radius * up
    # it turns about the vertical and spins about its axis
    spin = steady_spin(radius, mass, lean, turn, up, axis)
    omega = turn * np.array([0.0, 0.0, 1.0]) + spin * axis
    velocity = np.cross(omega, center)
    q = np.concatenate((center, quaternion_from_rotation(rotation)))
    v = np.concatenate((rotation.T @ omega, rotation.T @ velocity))
    times = np.linspace(0.0, 2 * np.pi / turn, 25)
    motion = moved(System(model, constraints=(wheel,)), times, q, v, tolerance=1e-11)
    # after one turn about the vertical the centre is where it was, and its height never changed
    assert_close(motion.q[:, 2], center[2], atol=1e-9)
    assert_close(motion.q[-1, :3], center, atol=1e-8)


def steady_spin(radius, mass, lean, turn, up, axis):
    """The spin with which the balance of moments about the contact point is steady."""
    vertical = np.array([0.0, 0.0, 1.0])
    inertia = mass * radius**2 * (0.25 * np.eye(3) + 0.25 * np.outer(axis, axis))

    def moment(spin):
        omega = turn * vertical + spin * axis
        # everything turns about the vertical with `turn`
        angular = np.cross(turn * vertical, inertia @ omega)
        gain = np.cross(turn * vertical, np.cross(omega, radius * up))
        weight = np.cross(radius * up, mass * np.array([0.0, 0.0, -GRAVITY]))
        return (angular + np.cross(radius * up, mass * gain) - weight)[1]

    # linear in the spin
    return -moment(0.0) / (moment(1.0) - moment(0.0))


def test_a_gear_train_is_one_inertia():
    """Three wheels: angles in the ratios, and the acceleration of the reduced inertia."""
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.dynamics.constraints import Gear
    from dynarig.core.mechanism import Body, TreeJoint

    inertias, torque = [0.02, 0.3, 1.5], 0.7
    bodies = [Body(f"w{k}", 1.0, np.zeros(3), own * np.eye(3)) for k, own in enumerate(inertias)]
    joints = [
        TreeJoint(f"a{k}", "continuous", "base", f"w{k}", np.eye(4), np.array([0, 0, 1.0]))
        for k in range(3)
    ]
    gears = (
        Gear(name="first", driver="a0", driven="a1", ratio=-0.25),
        Gear(name="second", driver="a1", driven="a2", ratio=-0.5, offset=0.1),
    )
    system = System(compile_tree(tree("gears", bodies, joints)), constraints=gears)
    times = np.linspace(0.0, 2.0, 9)
    motion = moved(
        system, times, [0, 0, 0.1], np.zeros(3), tau=lambda t, q, v: np.array([torque, 0, 0])
    )
    ratios = np.array([1.0, -0.25, 0.125])
    reduced = np.dot(inertias, ratios**2)
    angle = 0.5 * torque / reduced * times**2
    assert_close(motion.q, angle[:, None] * ratios + [0, 0, 0.1], atol=1e-9)
    # tooth forces: what each wheel beyond needs
    first, second = (motion.constraint(name, 1.0).force[0] for name in ("first", "second"))
    gain = torque / reduced
    assert_close(abs(second), inertias[2] * 0.125 * gain, atol=1e-9)
    assert_close(abs(first), (inertias[1] * 0.25 + inertias[2] * 0.125 * 0.5) * gain, atol=1e-9)


@pytest.mark.parametrize("kind", ["Mimic", "Screw", "RackAndPinion"])
def test_couplings_are_what_a_coupled_tree_joint_is(kind, random_tree):
    """A constraint between joints moves them as a follower in the tree does."""
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.dynamics import constraints as c

    tree_of = random_tree(9, ["revolute", "revolute", "prismatic", "revolute"], mimic=True)
    coupled = compile_tree(tree_of)
    single = compile_tree(tree_of, mimic="independent")
    links = []
    for follower, rule in coupled.followers.items():
        if kind == "Mimic":
            own = c.Mimic(
                name=follower,
                leader=rule.leader,
                follower=follower,
                multiplier=rule.multiplier,
                offset=rule.offset,
            )
        elif kind == "Screw":
            own = c.Screw(
                name=follower,
                turn=rule.leader,
                slide=follower,
                pitch=rule.multiplier,
                offset=rule.offset,
            )
        else:
            own = c.RackAndPinion(
                name=follower,
                pinion=rule.leader,
                rack=follower,
                radius=rule.multiplier,
                offset=rule.offset,
            )
        links.append(own)
    times = np.linspace(0.0, 0.5, 6)
    q, v = np.array([0.2, -0.1]), np.array([0.3, 0.5])
    expected = moved(coupled, times, q, v, tolerance=1e-11)
    start = np.array([coupled.joint_values(q)[name][0] for name in single.joint_names])
    rates = np.array(
        [
            v[list(coupled.q_slices).index(name)]
            if name in coupled.q_slices
            else coupled.followers[name].multiplier
            * v[list(coupled.q_slices).index(coupled.followers[name].leader)]
            for name in single.joint_names
        ]
    )
    motion = moved(System(single, constraints=tuple(links)), times, start, rates, tolerance=1e-11)
    for name in coupled.q_slices:
        mine, own = single.q_slices[name], coupled.q_slices[name]
        assert_close(motion.q[:, mine], expected.q[:, own], atol=1e-9)
