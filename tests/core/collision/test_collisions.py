"""Which pairs are looked at, and what is refused."""

import numpy as np
import pytest

from ...close import assert_close
from .scenes import collisions, free_model, over_floor, random_shape, world_poses
from .solids_in_space import floor, pose, random_turn

KINDS = ["point", "sphere", "capsule", "box", "cylinder", "hull", "plate"]


def ball(radius=0.1):
    from dynarig.core.dynamics.contact import Sphere

    return lambda port: Sphere(port, radius)


def collider(name, shape, **surface):
    from dynarig.core.dynamics.collision import Collider

    return Collider(name=name, shape=shape, **surface)


def port(link):
    from dynarig.core.dynamics.constraints import Port

    return Port(link)


def finder(model, *colliders, **options):
    from dynarig.core.dynamics.collision.collisions import Collisions

    return Collisions(model, colliders, **options)


def names_of(found):
    """The pairs that may touch, by sorted names."""
    names = [own.name for own in found.colliders]
    return {tuple(sorted((names[a], names[b]))) for a, b in found.pairs}


def keys(touching):
    return set(zip(touching.first.tolist(), touching.second.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(3))
def test_every_pair_within_the_margin_is_found(seed):
    rng = np.random.default_rng(seed)
    shapes = [random_shape(rng, kind) for kind in KINDS * 3]
    every = collisions(*shapes)
    poses = world_poses(*(pose(0.6 * rng.normal(size=3), random_turn(rng)) for _ in shapes))
    # with a margin that lets the bounds of all pass
    far = every.find(poses, 20.0)
    assert len(keys(far)) == len(every.pairs) == len(shapes) * (len(shapes) - 1) // 2
    for margin in (0.0, 0.05, 0.3):
        near = far.gap <= margin
        expected = set(zip(far.first[near].tolist(), far.second[near].tolist(), strict=True))
        assert keys(every.find(poses, margin)) == expected
        assert 3 < len(expected) < len(every.pairs)


def test_bodies_of_a_chain_touch_those_that_no_joint_connects():
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.dynamics.contact import Plane, Sphere
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    z = np.array([0.0, 0.0, 1.0])
    bodies = [Body(f"b{i}", 1.0, np.zeros(3), np.eye(3)) for i in range(4)]
    bodies.append(Body("cover", 1.0, np.zeros(3), np.eye(3)))
    kinds = ["revolute", "universal", "planar"]
    joints = [
        TreeJoint(f"j{i}", kind, f"b{i}", f"b{i + 1}", np.eye(4), z, second_axis=np.eye(3)[0])
        for i, kind in enumerate(kinds)
    ]
    joints.append(TreeJoint("lid", "fixed", "b3", "cover", np.eye(4), z))
    model = compile_tree(Tree("chain", tuple(bodies), tuple(joints), "b0"), floating_base=True)
    links = ["b0", "b1", "b2", "b3", "cover"]
    own = [collider(link, Sphere(port(link), 0.1)) for link in links]
    own += [collider("floor", Plane(port(None)))]
    found = finder(model, *own)
    # the cover is a part of b3; joints of several turns and slides connect their bodies too
    between = {("b0", "b2"), ("b0", "b3"), ("b0", "cover"), ("b1", "b3"), ("b1", "cover")}
    assert names_of(found) == between | {tuple(sorted((link, "floor"))) for link in links}
    # unless they are asked for
    assert names_of(finder(model, *own, pairs=[("b1", "b0")])) == {("b0", "b1")}
    ignored = finder(model, *own, ignored=[("b2", "b0"), ("floor", "b0")])
    assert names_of(ignored) == names_of(found) - {("b0", "b2"), ("b0", "floor")}


def test_an_arm_on_the_world_touches_the_ground_but_not_its_base():
    from dynarig.core.dynamics import compile_tree
    from dynarig.core.dynamics.contact import Plane, Sphere
    from dynarig.core.mechanism import Body, Tree, TreeJoint

    bodies = [Body(f"b{i}", 1.0, np.zeros(3), np.eye(3)) for i in range(2)]
    joint = TreeJoint("j", "revolute", "b0", "b1", np.eye(4), np.array([0.0, 0.0, 1.0]))
    model = compile_tree(Tree("arm", tuple(bodies), (joint,), "b0"))
    own = [collider(link, Sphere(port(link), 0.1)) for link in ("b0", "b1")]
    found = finder(model, *own, collider("floor", Plane(port(None))))
    assert names_of(found) == {("b1", "floor")}


def test_pairs_that_overlap_are_told_by_name_but_not_those_with_the_world():
    found = over_floor(ball(), ball(), ball())
    poses = world_poses(pose((0.0, 0.0, 0.0)), pose((0.15, 0.0, 0.0)), pose((0.34, 0.0, 0.0)))
    assert found.overlapping(poses, 0.04) == [("c0", "c1")]
    assert found.overlapping(poses, 0.005) == [("c0", "c1"), ("c1", "c2")]
    assert found.overlapping(poses, 0.06) == []


def test_nothing_touches_where_there_is_nothing():
    empty = finder(free_model(1))
    assert len(empty.find(world_poses(np.eye(4)), 1.0)) == 0
    alone = collisions(ball())
    assert len(alone.find(world_poses(np.eye(4)), 1.0)) == 0
    assert alone.overlapping(world_poses(np.eye(4)), 0.0) == []


@pytest.mark.parametrize("kind", KINDS[1:])
def test_a_mesh_that_is_flat_is_met_as_deep_as_a_plane(kind):
    from dynarig.core.dynamics.contact import TriangleMesh

    rng = np.random.default_rng(11)
    over = over_floor(random_shape(rng, kind))
    vertices, triangles = floor(6)
    turned = pose((0.1, 0.2, 0.0), random_turn(rng))
    # the mesh as it lies in a port that is turned
    local = (vertices - turned[:3, 3]) @ turned[:3, :3]
    from dynarig.core.dynamics.constraints import Port

    ground = collider("mesh", TriangleMesh(Port(None, turned), local, triangles))
    on_mesh = finder(over.model, over.colliders[0], ground)
    poses = world_poses(pose((0.0, 0.0, 0.0), random_turn(rng)))
    poses[1, 2, 3] -= over.find(poses, 10.0).gap.min() + 0.004
    touching = on_mesh.find(poses, 1e-3)
    # a prism stands for the cylinder
    slack = 0.006 * 0.3 if kind == "cylinder" else 1e-9
    assert_close(touching.gap.min(), -0.004, slack)
    deepest = touching.normal[touching.gap.argmin()]
    assert_close(deepest, [0.0, 0.0, -1.0 if touching.first[0] == 1 else 1.0], 1e-6)


def test_surfaces_combine():
    from dynarig.core.dynamics.collision import combined_friction, combined_restitution

    assert_close(combined_friction([0.5, 0.0, 0.4], [0.5, 1.0, 0.9]), [0.5, 0.0, 0.6], 1e-15)
    assert_close(combined_restitution([0.5, 0.0], [0.25, 1.0]), [0.5, 1.0], 0.0)


def refused(message, *colliders, **options):
    from dynarig.core import errors

    with pytest.raises(errors.DynarigError, match=message):
        finder(free_model(2), *colliders, **options)


def test_colliders_that_do_not_fit_are_refused():
    from dynarig.core.dynamics import contact

    own = [collider(f"c{i}", contact.Sphere(port(f"b{i}"), 0.1)) for i in range(2)]
    refused("two colliders are named 'c0'", own[0], own[0])
    refused("no link 'b7'", collider("a", contact.Point(port("b7"))))
    refused("pairs: no collider 'x'; there are: c0, c1", *own, pairs=[("c0", "x")])
    refused("ignored: no collider 'x'", *own, ignored=[("x", "c0")])
    same = collider("same", contact.Point(port("b0")))
    refused(
        "pair 'same', 'c0': wanted colliders that can move", own[0], same, pairs=[("same", "c0")]
    )
    planes = [collider(f"p{i}", contact.Plane(port(f"b{i}"))) for i in range(2)]
    refused("wanted one of them to be no plane", *planes, pairs=[("p0", "p1")])
    assert len(finder(free_model(2), *planes).pairs) == 0
    refused("colliders: wanted Colliders, got 'c0'", "c0")
    line = np.outer(np.arange(4.0), [1.0, 0.0, 0.0])
    refused(
        "Collider 'h': hull: wanted points that span", collider("h", contact.Hull(port("b0"), line))
    )


def test_points_fall_through_meshes_and_are_refused():
    from dynarig.core.dynamics import contact

    ground = collider("mesh", contact.TriangleMesh(port(None), np.eye(3), [[0, 1, 2]]))
    own = collider("tip", contact.Point(port("b0")))
    refused("pair 'tip', 'mesh': wanted no point, .* a Sphere with a radius", own, ground)
    assert len(finder(free_model(1), own, ground, ignored=[("tip", "mesh")]).pairs) == 0


def test_walls_with_an_end_or_two_sides_are_for_the_exact_scheme():
    from dynarig.core.dynamics.contact import Sphere, Wall

    up, along = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
    refused("without end", collider("w", Wall(port(None), up, along, 2.0)))
    refused("for exact impacts", collider("w", Wall(port(None), up, double_sided=True)))
    wall = collider("w", Wall(port(None), up))
    found = finder(free_model(1), collider("c", Sphere(port("b0"), 0.1)), wall)
    assert_close(found.find(world_poses(pose((0.0, 0.0, 0.15))), 0.1).gap, [0.05], 1e-15)


@pytest.mark.parametrize(
    ("surface", "told"),
    [
        ({"friction": -0.1}, "friction: wanted a number from 0 to 1e.06, got -0.1"),
        ({"friction": np.inf}, "friction"),
        ({"friction": np.nan}, "friction"),
        ({"friction": "rough"}, "friction"),
        ({"restitution": 1.1}, "restitution: wanted a number from 0 to 1"),
        ({"restitution": True}, "restitution"),
    ],
)
def test_surfaces_that_do_not_exist_are_refused(surface, told):
    from dynarig.core import errors
    from dynarig.core.dynamics.contact import Point

    with pytest.raises(errors.ArgumentError, match=f"Collider 'c': {told}"):
        collider("c", Point(port("b0")), **surface)


def test_colliders_without_a_name_or_a_shape_are_refused():
    from dynarig.core import errors
    from dynarig.core.dynamics.contact import Point

    with pytest.raises(errors.ArgumentError, match="name: wanted text"):
        collider("", Point(port("b0")))
    with pytest.raises(errors.ArgumentError, match="shape: wanted a shape, got 'ball'"):
        collider("c", "ball")


@pytest.mark.parametrize(
    ("kind", "given", "told"),
    [
        ("Cylinder", (0.0, 1.0), "Cylinder: radius: wanted a positive number"),
        ("Cylinder", (1.0, -1.0), "Cylinder: length"),
        ("Capsule", (1.0, np.nan), "Capsule: length"),
        ("Hull", (np.zeros((0, 3)),), r"Hull: points: wanted points \(n, 3\)"),
        ("Hull", ([[0.0, 0.0, np.inf]],), "Hull: points: wanted finite numbers"),
        ("TriangleMesh", (np.eye(3), [[0, 1, 3]]), "indices from 0 to 2, got 3"),
        ("TriangleMesh", (np.eye(3), [[0, 1, -1]]), "indices from 0 to 2, got -1"),
        ("TriangleMesh", (np.eye(3), [[0.0, 1.0, 2.0]]), r"triangles: wanted indices \(m, 3\)"),
    ],
)
def test_shapes_that_do_not_exist_are_refused(kind, given, told):
    from dynarig.core import errors
    from dynarig.core.dynamics import contact

    with pytest.raises(errors.ArgumentError, match=told):
        getattr(contact, kind)(port(None), *given)


def test_a_mesh_is_on_the_world():
    from dynarig.core import errors
    from dynarig.core.dynamics.contact import TriangleMesh

    with pytest.raises(errors.ArgumentError, match="wanted a Port on the world"):
        TriangleMesh(port("b0"), np.eye(3), [[0, 1, 2]])


def test_shapes_of_a_planar_mechanism_touch_in_their_plane():
    from dynarig.core.dynamics import contact

    poses = world_poses(pose((0.0, 0.0, 0.0)), pose((0.29, 0.05, 0.0)))
    rectangles = collisions(*[lambda port: contact.Box(port, (0.15, 0.2))] * 2)
    touching = rectangles.find(poses, 1e-3)
    assert_close(touching.gap, -0.01, 1e-14)
    assert_close(touching.normal, np.tile([-1.0, 0.0, 0.0], (len(touching), 1)), 1e-14)
    # along the side that both have, at each of its ends
    assert_close([touching.point[:, 1].min(), touching.point[:, 1].max()], [-0.15, 0.2], 1e-14)
    circle = collisions(lambda port: contact.Box(port, (0.15, 0.02)), ball(0.15))
    for at, gap, normal in (
        ((0.29, 0.0, 0.0), -0.01, (1.0, 0.0, 0.0)),
        ((0.1, 0.16, 0.0), -0.01, (0.0, 1.0, 0.0)),
        ((0.01, 0.015, 0.0), -0.155, (0.0, 1.0, 0.0)),
    ):
        touching = circle.find(world_poses(np.eye(4), pose(at)), 1e-3)
        way = -1.0 if touching.first[0] == 0 else 1.0
        assert_close(touching.gap, [gap], 1e-14)
        assert_close(way * touching.normal, [normal], 1e-14)
