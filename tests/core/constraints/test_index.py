"""Constraints at velocity and position level: orders of convergence, what is held, multipliers."""

import json

import numpy as np
import pytest

from ...close import assert_close
from .test_reference_cases import four_bar_of_rods, system_of

# steps in a case's time, so few that the error is far above rounding
COARSE, FINE = 40, 80
SMOOTH = ["quadratic_circle", "rheonomic_pivot", "double_pendulum", "linear_gear"]
BOTH = [*SMOOTH, "two_marker_linear_quadratic"]
VARIANTS = ["consistent", "suite_ICs_projected"]


@pytest.fixture
def moved(data):
    """A function (case, steps, **options) -> (motion, truth, final multipliers)."""
    from dynarig.core.dynamics import System
    from dynarig.core.simulate import run, simulate

    def move(name, steps, **options):
        case = json.loads((data / "constraints" / f"{name}.json").read_text())
        spec, truth = case["spec"], case["truth"]
        model, forces, constraint = system_of(name, spec)
        system = System(model, joint_forces=forces, constraints=(constraint,))
        end = spec["T"]
        times = np.linspace(0.0, end, steps + 1)
        motion = run(simulate(system, times, spec["q0"], spec["v0"], step=end / steps, **options))
        wanted = np.array(truth.get("lam", truth.get("lam_unit_normal")))
        return motion, truth, motion.constraint("c", times).force, wanted

    return move


def errors(result):
    motion, truth, force, wanted = result
    return np.array(
        [
            np.abs(motion.q[-1] - truth["q"]).max(),
            np.abs(motion.v[-1] - truth["v"]).max(),
            np.abs(force[-1] - wanted).max(),
        ]
    )


@pytest.mark.parametrize("index", [2, 3])
@pytest.mark.parametrize("name", BOTH)
def test_generalized_alpha_converges_with_order_two(name, index, moved):
    options = {"method": "generalized-alpha", "spectral_radius": 0.6, "index": index}
    coarse, fine = (errors(moved(name, steps, **options)) for steps in (COARSE, FINE))
    order = np.log2(coarse / fine)
    assert (np.abs(order - 2.0) < 0.35).all(), order


@pytest.fixture
def four_bar_errors(data):
    """A function (variant, steps, **options) -> errors of q, v and multipliers at 0.5 s."""
    from dynarig.core.simulate import run, simulate

    case = json.loads((data / "constraints" / "four_bar_point_masses.json").read_text())
    spec = case["spec"]
    system, lengths = four_bar_of_rods(spec)

    def found(variant, steps, **options):
        truth, times = case["truth"][variant], np.linspace(0.0, 0.5, steps + 1)
        start = spec["q0"], truth["v0"]
        motion = run(simulate(system, times, *start, step=0.5 / steps, **options))
        force = [motion.constraint(f"rod{k}", times).force[-1:, 0] for k in range(3)]
        # the case's rows are half of d^2, ours are d
        wanted = np.array(truth["0.5"]["lam_halfsq"]) * lengths
        return errors((motion, truth["0.5"], np.stack(force, axis=-1), wanted))

    return found


@pytest.mark.parametrize("index", [2, 3])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("method", ["generalized-alpha", "newmark"])
def test_the_four_bar_converges_with_order_two(method, variant, index, four_bar_errors):
    options = {"method": method, "index": index}
    if method == "generalized-alpha":
        options["spectral_radius"] = 0.6
    coarse, fine = (four_bar_errors(variant, steps, **options) for steps in (COARSE, FINE))
    # with index 3 Newmark's multipliers do not settle
    settled = 2 if (method, index) == ("newmark", 3) else 3
    order = np.log2(coarse / fine)[:settled]
    assert (np.abs(order - 2.0) < 0.35).all(), order


@pytest.mark.parametrize("index", [2, 3])
@pytest.mark.parametrize("name", BOTH)
def test_newmark_converges_with_order_two(name, index, moved):
    coarse, fine = (
        errors(moved(name, steps, method="newmark", index=index)) for steps in (COARSE, FINE)
    )
    # with index 3 its multipliers do not settle
    order = np.log2(coarse / fine)[: 3 if index == 2 else 2]
    assert (np.abs(order - 2.0) < 0.35).all(), order


@pytest.mark.parametrize("index", [2, 3])
@pytest.mark.parametrize("name", ["inactive", "velocity_level_linear"])
def test_motions_of_constant_acceleration_are_exact(name, index, moved):
    for method in ("generalized-alpha", "newmark"):
        assert_close(errors(moved(name, 10, method=method, index=index)), 0.0, atol=1e-9)


def test_each_index_holds_its_own_level(moved):
    for index in (1, 2, 3):
        motion, *_ = moved("quadratic_circle", COARSE, method="generalized-alpha", index=index)
        told = motion.constraint("c", motion.times)
        place, rate = np.abs(told.equation).max(), np.abs(told.rate).max()
        assert (place < 1e-9) == (index != 2)
        assert (rate < 1e-9) == (index != 3)


def test_multipliers_of_index_three_are_smooth_below_a_spectral_radius_of_one(moved):
    """What rings from step to step dies out below 1, and else grows until it hides the force."""

    def ringing(**options):
        *_, force, _ = moved("quadratic_circle", 200, index=3, **options)
        # the part that changes its sign with every step
        return np.abs(np.diff(force[-20:], n=3, axis=0)).max() / 8.0

    damped = ringing(method="generalized-alpha", spectral_radius=0.8)
    assert damped < 1e-4
    assert ringing(method="generalized-alpha", spectral_radius=1.0) > 100.0 * damped
    assert ringing(method="newmark") > 100.0 * damped


def test_prescribed_coordinates_go_along(moved):
    """A mass on a rod, its pivot driven: as a prescribed coordinate and as a constraint."""
    from dynarig.core.dynamics import Prescribed, System
    from dynarig.core.dynamics.constraints import Distance, Port, PrescribedCoordinate
    from dynarig.core.simulate import run, simulate

    from .mechanisms import slides

    def drive(t):
        return 0.2 * np.sin(6 * t), 1.2 * np.cos(6 * t), -7.2 * np.sin(6 * t)

    model = slides([1.0, 2.5])
    rod = Distance(name="rod", a=Port("on y0"), b=Port("on y1"), length=0.8)
    rails = PrescribedCoordinate(name="rail", coordinate="y0", motion=lambda t: (0.0, 0.0, 0.0))
    along = PrescribedCoordinate(name="drive", coordinate="x0", motion=drive)
    ways = [
        System(model, prescribed=(Prescribed(0, 0, drive),), constraints=(rod, rails)),
        System(model, constraints=(rod, rails, along)),
    ]
    options = {"step": 0.01, "method": "generalized-alpha", "index": 3}
    start = [0.0, 0.0, 0.0, -0.8], [1.2, 0.0, 0.0, 0.0]
    first, second = (run(simulate(way, [0.0, 0.5], *start, **options)) for way in ways)
    assert_close(first.q, second.q, atol=1e-5)
    exact = run(simulate(ways[0], [0.0, 0.5], *start, tolerance=1e-10))
    assert_close(first.q[-1], exact.q[-1], atol=1e-3)
    same = run(simulate(ways[1], [0.0, 0.5], *start, tolerance=1e-10))
    assert_close(same.q[-1], exact.q[-1], atol=1e-8)


def test_what_takes_no_index_says_so(moved):
    from dynarig.core.errors import SimulationError

    with pytest.raises(SimulationError, match="index 2 is taken by generalized-alpha, newmark"):
        moved("linear_gear", 10, method="rk4", index=2)
    with pytest.raises(SimulationError, match="index: wanted 1, 2 or 3, got 4"):
        moved("linear_gear", 10, method="newmark", index=4)
