"""Every public function says what it was given and what it wants; nothing bad passes."""

import inspect

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
    "bone_basis": {"joint": "revolute", "value": 1.0},
    "bone_from_link": {"axis": V, "roll": 1.0, "armature_from_link": T},
    "bone_matrix": {"head": V, "tail": A, "roll": 1.0},
    "child_bone_pose": {
        "joint": "revolute",
        "value": 1.0,
        "child_rest": T,
        "parent_rest": T,
        "parent_pose": T,
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
CALLS = [(name, argument) for name, call in GOOD.items() for argument in call]
# arguments that must be rotations or rigid, and the functions that take what they are given
ROTATIONS = ("rotation", "a_from_b", "frame", "matrix", "child_rest", "child_pose", "parent_rest")
NO_ROTATION_NEEDED = ("transform", "transform_points", "transform_vectors")
NO_LENGTH_NEEDED = ("quaternion_conjugate", "quaternion_multiply", "quaternion_from_scalar_last")
NO_LENGTH_NEEDED += ("quaternion_to_scalar_last",)


def refused(name, argument, value):
    with pytest.raises(ArgumentError) as caught:
        getattr(frames, name)(**{**GOOD[name], argument: value})
    message = str(caught.value)
    assert "wanted" in message
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
    ("name", "argument"),
    [(n, a) for n, a in NUMERIC if a in ROTATIONS and n not in NO_ROTATION_NEEDED],
)
def test_matrices_that_are_no_rotations_are_refused(name, argument):
    value = np.eye(np.shape(GOOD[name][argument])[-1])
    planar = name.endswith("_2d") or name in ("phi_and_translation", "lift_planar")
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
    with pytest.raises(ArgumentError, match="gimbal_lock: wanted 'choose' or 'raise', got 'no'"):
        frames.euler_from_rotation(np.eye(3), "XYZ", gimbal_lock="no")
    with pytest.raises(ArgumentError, match="shorter than"):
        frames.rotation_from_rotation_vector((1e200, 0.0, 0.0))


def test_matrices_of_float32_and_blenders_sheared_ones_pass(rng):
    turn = frames.rotation_from_rpy(rng.uniform(-3, 3, (100, 3)))
    frames.quaternion_from_rotation(turn.astype(np.float32))
    sheared = turn + rng.uniform(-7e-5, 7e-5, turn.shape)
    frames.euler_from_rotation(sheared, "XYZ")
