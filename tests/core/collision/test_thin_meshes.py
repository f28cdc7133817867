"""Thin meshes hold whatever falls on them, and what starts inside a closed one is told."""

import numpy as np
import pytest

from ...close import assert_close
from ..stepping.benches import ball, box, ground, placed, scene, solid_box, stepped

HALF = 2e-3  # m, of the thickness of the slab


def solid(*half_sizes):
    """A box around the origin."""
    from dynarig.core.dynamics.collision.polytope import box as polytope_of_box

    return polytope_of_box(np.array(half_sizes))


def a_mesh(half_sizes, turned=False):
    """The surface of a box around the origin."""
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.constraints import Port
    from dynarig.core.dynamics.contact import TriangleMesh

    own = solid(*half_sizes)
    triangles = own.triangles[:, ::-1] if turned else own.triangles
    return Collider(name="mesh", shape=TriangleMesh(Port(None), own.vertices, triangles))


def a_shape(kind):
    """A collider of the body a, and the moments of inertia of 0.1 kg of about that form."""
    from dynarig.core.dynamics import contact
    from dynarig.core.dynamics.collision import Collider
    from dynarig.core.dynamics.constraints import Port

    around = 2.0 * np.pi / 32 * np.arange(32)
    rim = np.stack((np.cos(around), np.sin(around)), axis=1)
    disc = [[*(0.1 * place), z] for place in rim for z in (-0.01, 0.01)]
    stick, flat = [2.1e-3, 2.1e-3, 5e-6], [2.5e-4, 2.5e-4, 5e-4]
    makes = {
        "stick": (lambda port: contact.Cylinder(port, 0.01, 0.5), stick),
        "beam": (lambda port: contact.Box(port, (0.01, 0.01, 0.25)), stick),
        "short capsule": (lambda port: contact.Capsule(port, 0.01, 0.1), [1e-4] * 3),
        "capsule": (lambda port: contact.Capsule(port, 0.01, 0.5), stick),
        "disc": (lambda port: contact.Cylinder(port, 0.1, 0.02), flat),
        "hull": (lambda port: contact.Hull(port, disc), flat),
    }
    make, inertia = makes[kind]
    return Collider(name="a", shape=make(Port("a"))), inertia


def dropped(below, kind, speed, seed, seconds):
    """The motion of a body of any orientation and spin that falls from 0.3 m."""
    from dynarig.core.frames import quaternion_from_rotation_vector, rotation_from_quaternion

    rng = np.random.default_rng(seed)
    own, inertia = a_shape(kind)
    system = scene([("a", 0.1, inertia)], [below, own])
    turn = quaternion_from_rotation_vector(2.0 * rng.normal(size=3))
    down = rotation_from_quaternion(turn).T @ [0.0, 0.0, -speed]
    spin = 5.0 * rng.normal(size=3)
    q, v = placed(system, (0.0, 0.0, 0.3, *turn)), np.concatenate((spin, down))
    return stepped(system, np.linspace(0.0, seconds, 61), q, v)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ["stick", "beam", "capsule", "disc", "hull"])
def test_a_thin_mesh_holds_what_falls_on_it(kind, seed):
    motion = dropped(a_mesh((3.0, 3.0, HALF)), kind, 3.0, seed, 0.15)
    assert len(motion.touches.gap)
    assert motion.touches.deepest < 1e-3
    assert motion.q[:, 2].min() > HALF


@pytest.mark.parametrize("kind", ["stick", "beam", "capsule", "disc", "hull"])
def test_a_thin_mesh_holds_what_hits_it_fast(kind):
    motion = dropped(a_mesh((3.0, 3.0, HALF)), kind, 30.0, 5, 0.03)
    assert len(motion.touches.gap)
    assert motion.q[:, 2].min() > 0.0


@pytest.mark.parametrize("seed", range(4))
def test_a_capsule_that_a_step_turns_over_stays_in_front_of_a_mesh(seed):
    motion = dropped(a_mesh((3.0, 3.0, 5e-4)), "short capsule", 100.0, seed, 0.02)
    assert len(motion.touches.gap)
    assert motion.q[:, 2].min() > 0.0


@pytest.mark.parametrize(("depth", "thickness"), [(4e-3, 1e-3), (0.03, 1e-3), (0.03, 0.2)])
def test_an_end_of_a_capsule_is_led_back_through_the_triangle_it_has_gone_through(depth, thickness):
    from dynarig.core.dynamics.collision.triangles import MeshTree

    own = solid(3.0, 3.0, 0.5 * thickness)
    vertices = own.vertices - [0.0, 0.0, 0.5 * thickness]
    mesh = MeshTree(vertices, own.triangles)
    ends = np.array([[[0.1, 0.2, -depth]], [[0.3, 0.4, 0.1]]])
    found = mesh.rounded_contacts(*ends, np.array([0.01]), 0.01)
    assert_close(found.gap, [-depth - 0.01], 1e-12)
    assert_close(found.normal, [[0.0, 0.0, 1.0]], 1e-12)


@pytest.mark.parametrize("kind", ["disc", "hull"])
def test_discs_that_land_rocking_stay_above_a_plane(kind):
    for seed in range(2):
        assert dropped(ground(), kind, 3.0, seed, 0.2).touches.deepest < 5e-4


@pytest.mark.parametrize("seed", range(10))
def test_points_that_are_kept_hold_all_others(seed):
    # any small turn that leaves the points above the plane leaves all corners almost there: a
    # deepest point with three far ones, for all gaps, lets them sink in by 0.038
    from dynarig.core.dynamics.collision.manifold import spread

    rng = np.random.default_rng(seed)
    x, y = rng.uniform(-1.0, 1.0, (2, 1, 60))
    z = 0.02 * (x * x + y * y) + 0.03 * x
    picks, kept = spread(x, y, z, np.ones(x.shape, bool), np.zeros(60, dtype=int), np.ones(1))
    own = picks[0, kept[0]]
    for tilt in rng.uniform(-0.05, 0.05, (200, 2)):
        moved = z + tilt[0] * x + tilt[1] * y
        moved -= moved[0, own].min()
        assert moved.min() > -0.012


def test_what_starts_in_the_solid_of_a_mesh_is_an_error():
    from dynarig.core.errors import SimulationError

    half_sizes = (0.1, 0.1, 0.1)
    slab = a_mesh((2.0, 2.0, 0.5))
    system = scene([solid_box("a", half_sizes)], [slab, box("a", half_sizes)])
    with pytest.raises(SimulationError, match="'a' starts inside the solid of mesh 'mesh'"):
        stepped(system, [0.0, 0.1], placed(system, (0.3, 0.2, 0.3)))
    for height in (0.61, 0.59, -0.7):
        motion = stepped(system, [0.0, 0.01], placed(system, (0.3, 0.2, height)))
        assert len(motion.q) == 2
    free = scene(
        [solid_box("a", half_sizes)], [slab, box("a", half_sizes)], ignored=[("a", "mesh")]
    )
    fallen = stepped(free, [0.0, 0.1], placed(free, (0.3, 0.2, 0.3)))
    assert_close(fallen.q[-1, 2], 0.3 - 0.5 * 9.81 * 0.01, 1e-9)


def test_only_what_a_closed_mesh_has_around_it_is_swallowed():
    inside, outside = (0.3, 0.2, 0.1), (0.3, 0.2, 2.5)
    for below, expected in (
        (a_mesh((2.0, 2.0, 1.0)), [("a", "mesh")]),
        (a_mesh((2.0, 2.0, 1.0), turned=True), []),  # a room
    ):
        system = scene([("a", 1.0, [1.0] * 3)], [below, ball("a", 0.05)])
        for place, names in ((inside, expected), (outside, [])):
            poses = system.moment(0.0, placed(system, place), np.zeros(6)).poses
            assert system.collisions.swallowed(poses) == names


def test_surfaces_go_once_around_what_is_inside():
    from dynarig.core.dynamics.collision.triangles import winding

    corners = solid(0.5, 0.4, 0.3).vertices[solid(0.5, 0.4, 0.3).triangles]
    for point, expected in (((0.1, 0.2, 0.1), 1.0), ((0.1, 0.2, 0.4), 0.0), ((3.0, 0.0, 0.0), 0.0)):
        assert_close(winding(corners, np.array(point)), expected, 1e-12)
        assert_close(winding(corners[:, ::-1], np.array(point)), -expected, 1e-12)
