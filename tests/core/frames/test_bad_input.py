"""Every public function says what it was given and what it wants; nothing bad passes."""

import inspect
import itertools
import warnings

import numpy as np
import pytest
from dynarig.core import frames
from dynarig.core.errors import ArgumentError

# one good call of every function: the arguments by name
T, R, Q, V, A = np.eye(4), np.eye(3), (1.0, 0.0, 0.0, 0.0), (1.0, 2.0, 3.0), (0.1, 0.2, 0.3)
P2, T2 = (1.0, 2.0), np.eye(3)
GOOD = {
    "adjoint": {"a_from_b": T},
    "angular_velocity_from_quaternion_derivative": {"q": Q, "q_dot": Q},
    "angular_velocity_to_euler_rates": {"angles": A, "omega": V, "sequence": "XYZ"},
    "axis_angle_from_quaternion": {"q": Q},
    "axis_angle_from_rotation": {"rotation": R},
    "axis_roll_from_matrix": {"rotation": R, "axis": V},
    "bone_basis": {"joint": "revolute", "value": 1.0, "sign": -1.0},
    "bone_from_link": {"axis": V, "roll": 1.0, "armature_from_link": T, "sign": -1.0},
    "bone_matrix": {"head": V, "tail": A, "roll": 1.0},
    "child_bone_pose": {
        "joint": "revolute",
        "value": 1.0,
        "child_rest": T,
        "parent_rest": T,
        "parent_pose": T,
        "sign": -1.0,
    },
    "continuous_quaternions": {"quaternions": [Q, Q]},
    "convert_rotation": {"value": A, "source": "XYZ", "target": "rpy"},
    "cross_matrix": {"vector": V},
    "euler_from_quaternion": {"q": Q, "sequence": "ZYX"},
    "euler_from_rotation": {"rotation": R, "sequence": "ZYX"},
    "euler_rates_to_angular_velocity": {"angles": A, "rates": V, "sequence": "XYX"},
    "get_rot": {"frame": T},
    "head_tail_roll": {"matrix": T, "length": 1.0},
    "interpolate_transforms": {"start": T, "end": T, "fraction": 0.5},
    "inverse_transform": {"a_from_b": T},
    "inverse_transform_2d": {"a_from_b": T2},
    "joint_value_from_pose": {
        "joint": "revolute",
        "child_pose": T,
        "child_rest": T,
        "parent_rest": T,
        "parent_pose": T,
        "sign": -1.0,
        "near": 1.0,
    },
    "lift_planar": {"a_from_b": T2, "world_from_plane": T},
    "matrix_from_axis_roll": {"axis": V, "roll": 1.0},
    "minimal_rotation": {"start": V, "end": A},
    "ori": {"frame": R},
    "ori_2d": {"phi": 1.0},
    "phi_and_translation": {"a_from_b": T2},
    "plane_from_normal": {"normal": V, "origin": A},
    "quaternion_conjugate": {"q": Q},
    "quaternion_derivative": {"q": Q, "omega": V},
    "quaternion_distance": {"p": Q, "q": Q},
    "quaternion_from_axis_angle": {"axis": V, "angle": 1.0},
    "quaternion_from_euler": {"angles": A, "sequence": "YXY"},
    "quaternion_from_rotation": {"rotation": R},
    "quaternion_from_rotation_vector": {"vector": V},
    "quaternion_from_rpy": {"rpy": A},
    "quaternion_from_scalar_last": {"q": Q},
    "quaternion_inverse": {"q": Q},
    "quaternion_multiply": {"p": Q, "q": Q},
    "quaternion_rotate": {"q": Q, "vector_in_b": V},
    "quaternion_slerp": {"start": Q, "end": Q, "fraction": 0.5},
    "quaternion_to_scalar_last": {"q": Q},
    "rotation_angle": {"rotation": R},
    "rotation_axis": {"rotation": R},
    "rotation_from_axis_angle": {"axis": V, "angle": 1.0},
    "rotation_from_euler": {"angles": A, "sequence": "ZXZ"},
    "rotation_from_quaternion": {"q": Q},
    "rotation_from_rotation_vector": {"vector": V},
    "rotation_from_rpy": {"rpy": A},
    "rotation_vector_from_quaternion": {"q": Q},
    "rotation_vector_from_rotation": {"rotation": R},
    "rpy_from_quaternion": {"q": Q},
    "rpy_from_rotation": {"rotation": R},
    "slerp_sequence": {"times": (0.0, 1.0), "quaternions": [Q, Q], "at": 0.5},
    "compose_transforms": {},
    "transform": {"rotation": R, "translation": V},
    "transform_2d": {"phi": 1.0, "translation": P2},
    "transform_from_twist": {"twist": (*V, *A)},
    "transform_from_xyz_rpy": {"xyz": V, "rpy": A},
    "transform_points": {"a_from_b": T, "points_in_b": [V]},
    "transform_points_2d": {"a_from_b": T2, "points_in_b": [P2]},
    "transform_vectors": {"a_from_b": T, "vectors_in_b": [V]},
    "transform_vectors_2d": {"a_from_b": T2, "vectors_in_b": [P2]},
    "twist_from_transform": {"a_from_b": T},
    "unit_quaternion": {"q": Q},
}
WITH_SWITCH = ("euler_from_rotation", "euler_from_quaternion", "convert_rotation")
WITH_SWITCH += ("rpy_from_rotation", "rpy_from_quaternion")
CALLS = [(name, argument) for name, call in GOOD.items() for argument in call]
# arguments that must be rotations or rigid, and the function that takes what it is given
ROTATIONS = ("rotation", "a_from_b", "frame", "matrix", "child_rest", "child_pose", "parent_rest")
ROTATIONS += ("parent_pose", "armature_from_link", "world_from_plane")
NO_ROTATION_NEEDED = ("transform",)
NO_LENGTH_NEEDED = ("quaternion_conjugate", "quaternion_multiply", "quaternion_from_scalar_last")
NO_LENGTH_NEEDED += ("quaternion_to_scalar_last",)


def refused(name, argument, value):
    with pytest.raises(ArgumentError) as caught:
        getattr(frames, name)(**{**GOOD[name], argument: value})
    message = str(caught.value)
    assert "wanted" in message
    assert argument in message
    return message


def test_every_public_function_is_tried_here():
    public = {name for name in frames.__all__ if inspect.isfunction(getattr(frames, name))}
    assert public == set(GOOD)
    for name in public:
        assert "Raises:" in getattr(frames, name).__doc__


@pytest.mark.parametrize("name", [name for name in GOOD if GOOD[name]])
def test_the_good_call_is_good_and_changes_nothing(name):
    call = {key: np.array(x) if not isinstance(x, str) else x for key, x in GOOD[name].items()}
    before = {key: np.array(x) for key, x in call.items()}
    for value in call.values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    result = getattr(frames, name)(**call)
    parts = result if isinstance(result, tuple) else (getattr(result, "R", result),)
    for part in parts:
        assert np.isfinite(part).all()
        for key, value in call.items():
            assert isinstance(value, str) or not np.shares_memory(part, value)
            np.testing.assert_array_equal(value, before[key])


@pytest.mark.parametrize(("name", "argument"), CALLS)
def test_text_and_nothing_are_refused(name, argument):
    refused(name, argument, "seven")
    if argument not in ("axis", "world_from_plane", "parent_pose", "armature_from_link"):
        refused(name, argument, None)


@pytest.mark.parametrize(
    ("name", "argument"),
    [(n, a) for n, a in CALLS if isinstance(GOOD[n][a], str)]
    + [(n, "gimbal_lock") for n in WITH_SWITCH],
)
def test_only_one_name_at_a_time_is_taken(name, argument):
    for wrong in (np.array([GOOD[name].get(argument, "raise")] * 2), ["XYZ"], 3, b"XYZ", ""):
        message = refused(name, argument, wrong)
        assert message.startswith(argument)
        assert repr(wrong) in message


@pytest.mark.parametrize(("name", "argument"), CALLS)
def test_ragged_rows_are_refused(name, argument):
    refused(name, argument, [[1.0, 2.0], [3.0]])


NUMERIC = [(n, a) for n, a in CALLS if not isinstance(GOOD[n][a], str)]


@pytest.mark.parametrize(("name", "argument"), NUMERIC)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_are_refused(name, argument, bad):
    value = np.array(GOOD[name][argument], dtype=float)
    value[(-1,) * value.ndim] = bad
    refused(name, argument, value)


@pytest.mark.parametrize(
    ("name", "argument"), [(n, a) for n, a in NUMERIC if np.ndim(GOOD[n][a]) and a != "times"]
)
def test_a_wrong_shape_is_refused_and_shown(name, argument):
    assert "(7, 7)" in refused(name, argument, np.ones((7, 7)))


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        (name, one, other)
        for name, call in GOOD.items()
        for one, other in itertools.combinations(call, 2)
        if (name, one) in NUMERIC and (name, other) in NUMERIC and name != "slerp_sequence"
    ],
)
def test_leading_axes_that_do_not_fit_are_named(name, one, other):
    def batch(argument, count):
        value = np.asarray(GOOD[name][argument], dtype=float)
        return np.broadcast_to(value, (count, *value.shape))

    call = {**GOOD[name], one: batch(one, 2), other: batch(other, 3)}
    with pytest.raises(ArgumentError, match="wanted leading axes that broadcast") as caught:
        getattr(frames, name)(**call)
    for text in (f"(2,) of {one}", f"(3,) of {other}"):
        assert text in str(caught.value)
    # and those that do, in any combination
    single = getattr(frames, name)(**GOOD[name])
    call = {**GOOD[name], one: batch(one, 2), other: batch(other, 3)[:, None]}
    many = getattr(frames, name)(**call)
    pairs = zip(single, many, strict=True) if isinstance(single, tuple) else [(single, many)]
    for alone, result in pairs:
        np.testing.assert_allclose(result, np.broadcast_to(alone, (3, 2, *alone.shape)), rtol=1e-14)


def test_leading_axes_of_pairs_and_of_many_transforms_are_named():
    two, three = np.stack([T] * 2), np.stack([T] * 3)
    with pytest.raises(ArgumentError, match=r"\(2,\) of transforms\[0\], .* transforms\[2\]"):
        frames.compose_transforms(two, T, three)
    with pytest.raises(ArgumentError, match=r"\(2,\) of axis, \(3,\) of angle"):
        frames.convert_rotation((np.ones((2, 3)), np.ones(3)), "axis_angle", "matrix")
    with pytest.raises(ArgumentError, match=r"transforms\[1\]: wanted shape"):
        frames.compose_transforms(T, R)


@pytest.mark.parametrize(
    "name",
    ["transform_points", "transform_vectors", "transform_points_2d", "transform_vectors_2d"],
)
def test_one_point_is_a_row(name):
    argument = list(GOOD[name])[1]
    (row,) = GOOD[name][argument]
    message = refused(name, argument, row)
    assert f"wanted shape (…, n, {len(row)}), got ({len(row)},)" in message


def test_results_out_of_range_are_refused():
    huge, tiny = (1e200, 0.0, 0.0, 0.0), (5e-324, 0.0, 0.0, 0.0)
    for name, call, text in (
        ("quaternion_multiply", {"p": huge, "q": huge}, "p, q: wanted"),
        ("quaternion_inverse", {"q": tiny}, "q: wanted"),
        ("quaternion_derivative", {"q": huge, "omega": (0.0, 1e200, 0.0)}, "q, omega: wanted"),
        (
            "angular_velocity_from_quaternion_derivative",
            {"q": (1e-200, 0, 0, 0), "q_dot": (0, 1e200, 0, 0)},
            "q, q_dot: wanted",
        ),
        ("bone_matrix", {"head": (1e308, 0, 0), "tail": (-1e308, 0, 0)}, "head, tail: wanted"),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(ArgumentError, match=text):
                getattr(frames, name)(**call)


@pytest.mark.parametrize("sign", [0, 2, -1.5, np.nan, [1, 0]])
def test_other_signs_are_refused(sign):
    for name in ("bone_basis", "bone_from_link", "child_bone_pose", "joint_value_from_pose"):
        assert "sign" in refused(name, "sign", sign)


def test_a_parents_rest_matrix_is_looked_at_without_its_pose():
    for wrong in ("seven", 2.0 * T, np.full((4, 4), np.nan)):
        with pytest.raises(ArgumentError, match="parent_rest: wanted"):
            frames.child_bone_pose("revolute", 1.0, T, wrong)


@pytest.mark.parametrize(
    ("name", "argument"),
    [(n, a) for n, a in NUMERIC if np.shape(GOOD[n][a]) == (4, 4)],
)
def test_another_last_row_is_refused(name, argument):
    for row in ((0, 0, 0, 2), (0, 0, 1e-9, 1)):
        value = np.array(T)
        value[3] = row
        assert "last row [0, 0, 0, 1]" in refused(name, argument, value)


@pytest.mark.parametrize(
    ("name", "argument"),
    [(n, a) for n, a in NUMERIC if a in ROTATIONS and n not in NO_ROTATION_NEEDED],
)
def test_matrices_that_are_no_rotations_are_refused(name, argument):
    value = np.eye(np.shape(GOOD[name][argument])[-1])
    planar = len(value) == 3 and (name.endswith("_2d") or "planar" in name or "phi_" in name)
    block = value[:2, :2] if planar else value[:3, :3]
    for wrong in (1.001, 0.0, -2.0, np.diag([-1.0, *np.ones(len(block) - 1)])):
        block[...] = wrong * np.eye(len(block))
        refused(name, argument, value)


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        (n, a)
        for n, a in NUMERIC
        if np.shape(GOOD[n][a])[-1:] == (4,)
        and np.ndim(GOOD[n][a]) < 3
        and (a in ("q", "p", "quaternions") or n == "quaternion_slerp")
        and n not in NO_LENGTH_NEEDED
    ],
)
def test_zero_quaternions_are_refused(name, argument):
    value = np.array(GOOD[name][argument], dtype=float)
    value[..., :] = 0.0
    assert "[0.0, 0.0, 0.0, 0.0]" in refused(name, argument, value)


@pytest.mark.parametrize(
    ("name", "argument"),
    [(n, a) for n, a in NUMERIC if a in ("axis", "normal")]
    + [("minimal_rotation", "start"), ("minimal_rotation", "end")],
)
def test_zero_axes_are_refused(name, argument):
    assert "[0.0, 0.0, 0.0]" in refused(name, argument, np.zeros(3))


@pytest.mark.parametrize("name", [name for name in GOOD if "sequence" in GOOD[name]])
def test_unknown_sequences_are_refused(name):
    for wrong in ("xyz", "XXY", "XY", "XYZX", "", 123, ["XYZ"]):
        message = refused(name, "sequence", wrong)
        assert "XYZ, XZY" in message
        assert repr(wrong) in message


def test_the_message_names_the_entry_of_a_batch():
    q = np.ones((2, 3, 4))
    q[1, 2] = 0.0
    with pytest.raises(ArgumentError, match=r"q: wanted quaternions .* at \[1, 2\]"):
        frames.rotation_from_quaternion(q)
    with pytest.raises(ArgumentError, match=r"det R is -1"):
        frames.quaternion_from_rotation(-np.eye(3))
    with pytest.raises(ArgumentError, match=r"R R\^T differs from 1 by 3"):
        frames.quaternion_from_rotation(2.0 * np.eye(3))
    with pytest.raises(ArgumentError, match=r"last row \[0, 0, 0, 1\], got \[0.0, 0.0, 0.0, 2.0\]"):
        frames.inverse_transform(np.diag([1.0, 1.0, 1.0, 2.0]))
    with pytest.raises(ArgumentError, match="transforms: wanted at least one"):
        frames.compose_transforms()
    with pytest.raises(ArgumentError, match="gimbal_lock: wanted one of choose, raise, got 'no'"):
        frames.euler_from_rotation(np.eye(3), "XYZ", gimbal_lock="no")
    with pytest.raises(ArgumentError, match="shorter than"):
        frames.rotation_from_rotation_vector((1e200, 0.0, 0.0))


def test_matrices_of_float32_and_blenders_sheared_ones_pass(rng):
    turn = frames.rotation_from_rpy(rng.uniform(-3, 3, (100, 3)))
    frames.quaternion_from_rotation(turn.astype(np.float32))
    sheared = turn + rng.uniform(-7e-5, 7e-5, turn.shape)
    frames.euler_from_rotation(sheared, "XYZ")
