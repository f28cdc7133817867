"""Arguments of components: what does not fit is refused by component and parameter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError
from dynarig.core.mechanism import Mechanism, planar, spatial


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: planar.Continuous("c", limits=(0, 1)), "Continuous 'c': limits: .*Revolute"),
        (lambda: spatial.Continuous("c", limits=(0, 1)), "Continuous 'c': limits: .*Revolute"),
        (lambda: planar.Body("b", m=-1), "Body 'b': m: wanted a number of 0 or above, got -1"),
        (lambda: planar.Body("b", m=np.nan), "Body 'b': m: wanted a finite number, got nan"),
        (lambda: planar.Body("b", m="1"), "Body 'b': m: wanted a finite number, got '1'"),
        (lambda: planar.Body("b", r_cm=(1, 2, 3)), "Body 'b': r_cm: wanted 2 finite numbers"),
        (
            lambda: planar.Body("b", mass=1),
            "Body 'b': .*'mass'; it takes name, and by name m, I, r_cm",
        ),
        (lambda: planar.Body(), "Body '': missing a required argument: 'name'"),
        (lambda: planar.Body("a.b"), "name: wanted text without a dot.*got 'a.b'"),
        (lambda: planar.Body(3), "name: wanted text.*got 3"),
        (
            lambda: planar.Body("b", color=(2, 0, 0)),
            "Body 'b': color: wanted three numbers in 0..1",
        ),
        (lambda: planar.BodyShape("b", radius=0), "BodyShape 'b': radius: wanted a number above 0"),
        (lambda: spatial.Body("b", I=(1, 1, 3)), "Body 'b': I: no body has the moments 1, 1, 3"),
        (lambda: spatial.Body("b", I=-1), "Body 'b': I: no body has the moments"),
        (lambda: spatial.Body("b", I=[[1, 1, 0], [0, 1, 0], [0, 0, 1]]), "I: wanted a symmetric"),
        (
            lambda: spatial.Body("b", I=[[1], [0, 1]]),
            r"Body 'b': I: wanted finite numbers of shape",
        ),
        (
            lambda: spatial.Body("b", I=(1e308, 1e308, -1e308)),
            "Body 'b': I: no body has the moments",
        ),
        (lambda: spatial.Body("b", I=10**400), "Body 'b': I: wanted a finite number, got 1000"),
        (lambda: planar.Body("b", m=10**400), "Body 'b': m: wanted a finite number, got 1000"),
        (
            lambda: spatial.Body("b", sequence=[[1], [2, 3]]),
            "Body 'b': sequence: wanted one of XYZ",
        ),
        (lambda: spatial.Body("b", sequence=object()), "Body 'b': sequence: wanted one of XYZ"),
        (
            lambda: spatial.Universal("j", d=[[1], [2, 3]]),
            "Universal 'j': d: wanted a finite number",
        ),
        (
            lambda: planar.Revolute("j", limits=(0, 10**400)),
            r"'j': limits: wanted \(lower, upper\)",
        ),
        (lambda: planar.Spring("s", color=(1, 2, 3)), "Spring 's': color: wanted three numbers"),
        (
            lambda: spatial.TorsionSpring("s", joint="hinge", n=(1, 0, 0)),
            "TorsionSpring 's': n: wanted none beside joint",
        ),
        (
            lambda: spatial.TorsionDamper("s", joint="hinge", n=(0, 0, 1)),
            "TorsionDamper 's': n: wanted none beside joint",
        ),
        (lambda: spatial.Body("b", I_21=0.1), "Body 'b': I_11 … I_32: no body has"),
        (
            lambda: spatial.Body("b", orientation_state="quat"),
            "orientation_state: wanted one of quat",
        ),
        (lambda: spatial.Body("b", sequence=(1, 1, 2)), "Body 'b': sequence: wanted one of XYZ"),
        (lambda: spatial.Body("b", sequence="xyz"), "Body 'b': sequence: wanted one of XYZ"),
        (lambda: spatial.Body("b", Q0=(0, 0, 0, 0)), "Body 'b': Q0: wanted a quaternion"),
        (lambda: spatial.Body("b", R0=2 * np.eye(3)), "Body 'b': R0: wanted a rotation matrix"),
        (
            lambda: spatial.Body("b", R0=np.eye(3), Q0=(1, 0, 0, 0)),
            "Body 'b': wanted one of R0, Q0",
        ),
        (
            lambda: spatial.Body("b", w0=(1, 0, 0), w_a0=(1, 0, 0)),
            "wanted one of w0, w_a0, got both",
        ),
        (
            lambda: spatial.BodyShape("b", phi=1),
            "BodyShape 'b': no parameter 'phi'; for its free motion",
        ),
        (lambda: spatial.BodyBox("b", r=(0, 0, 0)), "BodyBox 'b': r and r_shape: wanted a way"),
        (
            lambda: spatial.BodyBox("b", width_dir=(1, 0, 0)),
            "BodyBox 'b': width_dir: wanted another",
        ),
        (
            lambda: spatial.BodyCylinder("b", diameter=0),
            "BodyCylinder 'b': diameter: wanted a number",
        ),
        (
            lambda: spatial.BodyCylinder("b", diameter=1, inner_diameter=1),
            "inner_diameter: wanted less",
        ),
        (
            lambda: spatial.BodySphere("b", density=-1),
            "BodySphere 'b': density: wanted a number above",
        ),
        (lambda: spatial.Revolute("j", n=(0, 0, 0)), "Revolute 'j': n: wanted a direction"),
        (
            lambda: spatial.Revolute("j", limits=(1, 0)),
            r"Revolute 'j': limits: wanted \(lower, upper\)",
        ),
        (
            lambda: spatial.Revolute("j", damping=1),
            "Revolute 'j': no parameter 'damping'.* d, friction",
        ),
        (lambda: spatial.Revolute("j", d=-1), "Revolute 'j': d: wanted 0 or above, got -1"),
        (
            lambda: spatial.Revolute("j", friction_speed=0),
            "friction_speed: wanted a number above 0",
        ),
        (
            lambda: spatial.Cylindrical("j", d=(1, 2, 3)),
            "Cylindrical 'j': d: wanted 2 finite numbers",
        ),
        (lambda: spatial.Universal("j", n_b=(2, 0, 0)), "Universal 'j': n_b: wanted another"),
        (lambda: spatial.Screw("j"), "Screw 'j': missing a required .*argument: 'pitch'"),
        (lambda: spatial.Spherical("j", d=-1), "Spherical 'j': d: wanted a number of 0 or above"),
        (lambda: spatial.FreeMotion("j", r0=(1, 2)), "FreeMotion 'j': r0: wanted 3 finite numbers"),
        (
            lambda: spatial.FixedRotation("r", n=(1, 0, 0)),
            "FixedRotation 'r': n and angle: wanted both",
        ),
        (
            lambda: spatial.Fixed("f", n=(1, 0, 0), angle=1, R=np.eye(3)),
            "Fixed 'f': wanted n and angle, or",
        ),
        (lambda: planar.World("w", n=(0, 0)), "World 'w': n: wanted a direction"),
        (lambda: Mechanism(""), "Mechanism: name: wanted text, got ''"),
        (lambda: Mechanism("a", None), "a: components: wanted a list of components, got None"),
        (lambda: Mechanism("a", planar.World()), "a: components: wanted a list .* got <World"),
        (lambda: Mechanism("a", ["b"]), "a: wanted components such as .* got 'b'"),
    ],
)
def test_arguments_that_do_not_fit(make: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        make()


def test_a_matrix_of_inertia_that_is_symmetric_but_for_rounding(rng: Any) -> None:
    from dynarig.core.frames import rotation_from_quaternion

    rounded = 0
    for size in (1e-9, 1.0, 1e300):
        for quaternion in rng.normal(size=(30, 4)):
            turn = rotation_from_quaternion(quaternion)
            given = size * (turn @ np.diag([1.0, 2.0, 2.5]) @ turn.T)
            rounded += not np.array_equal(given, given.T)
            own = spatial.Body("b", I=given).inertia
            np.testing.assert_array_equal(own, own.T)
            assert np.abs(own - given).max() <= 1e-15 * size * 4.0
    assert rounded > 10
    given = np.diag([1.0, 2.0, 2.5])
    given[0, 1] = 1e-9
    with pytest.raises(ArgumentError, match="Body 'b': I: wanted a symmetric matrix"):
        spatial.Body("b", I=given)


def test_large_moments_of_inertia_overflow_nothing() -> None:
    with np.errstate(all="raise"):
        own = spatial.Body("b", I=(1e308, 1e308, 1e308)).inertia
    np.testing.assert_array_equal(own, 1e308 * np.eye(3))
