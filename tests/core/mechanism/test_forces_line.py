"""Springs and dampers between frames against closed forms and balances."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from ...close import assert_close


def planar_slide(*elements: Any, m: float = 2.0, s0: float = 1.0, v0: float = 0.0, **world: Any):
    """A body on a slide along x, with elements from the world's origin to it."""
    from dynarig.core.mechanism import Mechanism, planar

    base = planar.World("world", **world)
    slide, body = planar.Prismatic("slide", s0=s0, v0=v0), planar.Body("body", m=m)
    mechanism = Mechanism("slide", [base, slide, body, *elements])
    mechanism.chain(base, slide, body)
    for element in elements:
        mechanism.connect(base.frame_b, element.frame_a)
        mechanism.connect(body.frame_a, element.frame_b)
    return mechanism


def two_bodies(*elements: Any) -> Any:
    """Two free bodies in space, moving and turning, with elements between their far ends."""
    from dynarig.core.mechanism import Mechanism, spatial

    world = spatial.World("world", g=0.0)
    options = {"m": 1.5, "I": np.diag([0.1, 0.2, 0.25])}
    first = spatial.BodyShape(
        "first", r=(0.3, 0, 0), v0=(0.1, 0.2, -0.3), w_a0=(0.5, -1.0, 0.7), **options
    )
    second = spatial.BodyShape(
        "second",
        r=(0, 0.4, 0),
        r0=(1, 0.5, 0.2),
        v0=(0, -0.3, 0.2),
        w_a0=(1.1, 0.4, -0.8),
        **options,
    )
    mechanism = Mechanism("pair", [world, first, second, *elements])
    for element in elements:
        mechanism.connect(first.frame_b, element.frame_a)
        mechanism.connect(second.frame_b, element.frame_b)
    return mechanism


def test_a_mass_on_a_spring_swings_as_the_closed_form() -> None:
    from dynarig.core.mechanism import planar

    spring = planar.Spring("spring", c=8.0, s_unstretched=0.7)
    sol = planar_slide(spring, v0=0.3).simulate(4.0, tolerance=1e-11)
    t = np.linspace(0.0, 4.0, 41)
    # s = rest + A cos(omega t) + B sin(omega t), omega^2 = c / m
    s = 0.7 + 0.3 * np.cos(2.0 * t) + 0.15 * np.sin(2.0 * t)
    v = -0.6 * np.sin(2.0 * t) + 0.3 * np.cos(2.0 * t)
    assert_close(sol(t, "slide.s"), s, atol=1e-9)
    assert_close(sol(t, "spring.s"), s, atol=1e-9)
    assert_close(sol(t, "spring.v"), v, atol=1e-9)
    assert_close(sol(t, "spring.f"), 8.0 * (s - 0.7), atol=1e-8)
    assert_close(sol(t, "spring.energy"), 4.0 * (s - 0.7) ** 2, atol=1e-8)
    assert_close(sol(t, "spring.lossPower"), 0.0, atol=0.0)
    # the world pulls the spring's frame_a back, the body its frame_b forth
    assert_close(sol(t, "spring.frame_b.fx"), sol(t, "spring.f"), atol=1e-12)
    assert_close(sol(t, "spring.frame_a.fx"), -sol(t, "spring.f"), atol=1e-12)
    assert_close(sol(t, "body.frame_a.fx"), 2.0 * sol(t, "slide.a"), atol=1e-12)
    assert sol.trajectory.energy_drift < 1e-10


def test_a_damper_stops_a_mass_exponentially() -> None:
    from dynarig.core.mechanism import planar

    sol = planar_slide(planar.Damper("damper", d=3.0), v0=0.8).simulate(3.0, tolerance=1e-11)
    t = np.linspace(0.0, 3.0, 31)
    v = 0.8 * np.exp(-1.5 * t)
    assert_close(sol(t, "slide.v"), v, atol=1e-9)
    assert_close(sol(t, "slide.s"), 1.0 + 0.8 / 1.5 * (1.0 - np.exp(-1.5 * t)), atol=1e-9)
    assert_close(sol(t, "damper.f"), 3.0 * v, atol=1e-8)
    assert_close(sol(t, "damper.lossPower"), 3.0 * v**2, atol=1e-8)
    # what it takes out is what the work says
    assert_close(sol.trajectory.work[-1], 0.8**2 - v[-1] ** 2, atol=1e-9)


def test_a_damper_in_space_acts_along_its_line_alone() -> None:
    from dynarig.core.mechanism import Mechanism, spatial

    along, across = np.array([2.0, -1.0, 2.0]) / 3.0, np.array([1.0, 2.0, 0.0]) / np.sqrt(5.0)
    world = spatial.World("world", g=0.0)
    nail = spatial.Fixed("nail", r=(0.4, 0.1, -0.3))

    def thrown(v: Any) -> Any:
        body = spatial.Body("body", m=1.5, r0=nail.r + 2.0 * along, v0=v)
        damper = spatial.Damper("damper", d=0.6)
        mechanism = Mechanism("thrown", [world, nail, body, damper])
        mechanism.connect(nail.frame_b, damper.frame_a)
        mechanism.connect(body.frame_a, damper.frame_b)
        return mechanism

    # away from the nail: s' = v exp(-d t / m)
    sol = thrown(1.2 * along).simulate(3.0, tolerance=1e-12)
    t = np.linspace(0.0, 3.0, 31)
    v = 1.2 * np.exp(-0.4 * t)
    s = 2.0 + (1.2 - v) / 0.4
    assert_close(sol(t, "damper.s"), s, atol=1e-10)
    assert_close(sol(t, "damper.v"), v, atol=1e-10)
    assert_close(sol(t, "body.r"), nail.r + s[:, None] * along, atol=1e-10)
    assert_close(sol(t, "damper.f"), 0.6 * v, atol=1e-10)
    assert_close(sol(t, "damper.lossPower"), 0.6 * v**2, atol=1e-10)
    assert_close(sol(t, "damper.frame_b.f"), 0.6 * v[:, None] * along, atol=1e-10)
    assert_close(sol(t, "damper.frame_a.f"), -0.6 * v[:, None] * along, atol=1e-10)
    assert_close(sol.trajectory.work[-1], 0.75 * (1.2**2 - v[-1] ** 2), atol=1e-10)
    # past it, at right angles to the line: no force at first, and never a moment about the nail
    sol = thrown(1.2 * across).simulate(3.0, tolerance=1e-12)
    assert_close(sol(0.0, "damper.f"), 0.0, atol=1e-15)
    assert sol(1.0, "damper.f") > 0.1
    momenta = 1.5 * np.cross(sol(t, "body.r") - nail.r, sol(t, "body.v"))
    expected = np.broadcast_to(1.5 * 2.0 * 1.2 * np.cross(along, across), (31, 3))
    assert_close(momenta, expected, atol=1e-10)


def test_a_spring_damper_is_both_in_parallel() -> None:
    from dynarig.core.mechanism import planar

    both = planar.SpringDamper("both", c=5.0, d=1.2, s_unstretched=0.4)
    apart = planar.Spring("c", c=5.0, s_unstretched=0.4), planar.Damper("d", d=1.2)
    t = np.linspace(0.0, 2.0, 21)
    one, two = (planar_slide(*parts).simulate(2.0, tolerance=1e-11) for parts in ([both], apart))
    assert_close(one(t, "slide.s"), two(t, "slide.s"), atol=1e-10)
    assert_close(one(t, "both.f"), two(t, "c.f") + two(t, "d.f"), atol=1e-9)
    # m s'' + d s' + c (s - rest) = 0
    decay, omega = 0.3, np.sqrt(2.5 - 0.09)
    wave = np.cos(omega * t) + decay / omega * np.sin(omega * t)
    assert_close(one(t, "slide.s"), 0.4 + 0.6 * np.exp(-decay * t) * wave, atol=1e-9)


def test_forces_between_free_bodies_keep_their_momentum_and_balance_their_energy() -> None:
    from dynarig.core.dynamics import momentum
    from dynarig.core.mechanism import spatial

    spring = spatial.SpringDamper("spring", c=3.0, d=0.2, s_unstretched=1.0)
    sol = two_bodies(spring).simulate(2.0, tolerance=1e-11)
    compiled, trajectory = sol.compiled, sol.trajectory
    # about the common centre of mass, then linear
    parts = momentum(compiled.model, trajectory.q, trajectory.v)
    assert_close(parts - parts[0], 0.0, atol=1e-9)
    # what has left the motion is stored in the spring or lost in the damper
    nodes, weights = np.polynomial.legendre.leggauss(60)
    lost = weights @ sol(1.0 + nodes, "spring.lossPower")  # over 2 s
    stored = sol([0.0, 2.0], "spring.energy")
    assert_close(trajectory.work[-1], stored[1] - stored[0] + lost, atol=1e-8)
    assert lost > 0.01
    assert trajectory.energy_drift < 1e-9
    # power into the joints is -f s'
    at = sol.at(sol.times)
    power = (compiled.system.applied_forces(at.moment) * at.v).sum(axis=-1)
    line = sol(sol.times, "spring.f") * sol(sol.times, "spring.v")
    assert_close(power, -line, atol=1e-11)


def test_the_rate_is_that_of_the_length(bench: Any) -> None:
    from dynarig.core.mechanism import spatial

    sol = two_bodies(spatial.Spring("spring", s_unstretched=1.0)).simulate(1.0, tolerance=1e-12)
    t = np.linspace(0.1, 0.9, 9)
    assert_close(sol(t, "spring.v"), bench.rate(sol, "spring.s", t), atol=1e-9)


def test_frames_that_coincide_are_no_trouble() -> None:
    from dynarig.core.mechanism import planar

    # at rest: no direction, no force; the zero-length spring pulls with -c r there, which is 0
    for spring in (
        planar.Spring("spring", c=5.0),
        planar.SpringDamper("spring", c=5.0, d=2.0, s_unstretched=0.3),
    ):
        at = planar_slide(spring, s0=0.0).compile()
        force = at.system.applied_forces(at.system.moment(0.0, at.q, at.v))
        assert_close(force, [0.0], atol=0.0)
    # passing: the damper keeps its force, from either side
    damper = planar.SpringDamper("damper", c=5.0, d=2.0)
    at = planar_slide(damper, s0=0.0, v0=-0.7).compile()
    for s in (-1e-12, -1e-200, 0.0, 1e-200, 1e-12):
        moment = at.system.moment(0.0, np.array([s]), np.array([-0.7]))
        assert_close(at.system.applied_forces(moment), [1.4], atol=1e-11)


def test_all_springs_are_one_element_and_calls_do_not_grow_with_them() -> None:
    from dynarig.core.mechanism import planar

    def calls(count: int) -> int:
        half = count // 2
        springs = [planar.Spring(f"s{i}", c=1.0 + i) for i in range(half)]
        dampers = [planar.Damper(f"d{i}", d=0.1 * i) for i in range(half)]
        compiled = planar_slide(*springs, *dampers).compile()
        assert len(compiled.system.frame_forces) == 1
        moment = compiled.system.moment(0.0, compiled.q, compiled.v)
        seen = 0

        def count_call(frame: Any, event: str, argument: Any) -> None:
            nonlocal seen
            seen += event in ("call", "c_call")

        before = compiled.system.applied_forces(moment)
        sys.setprofile(count_call)
        try:
            force = compiled.system.applied_forces(moment)
        finally:
            sys.setprofile(None)
        expected = -sum(1.0 + i for i in range(half))
        assert_close(force, [expected], atol=1e-9)
        assert np.array_equal(force, before)
        return seen

    assert calls(4) == calls(100)


def test_a_batch_of_times_answers_as_each_time_alone() -> None:
    from dynarig.core.mechanism import spatial

    parts = [spatial.Spring("spring", c=30.0), spatial.Damper("damper", d=2.0)]
    sol = two_bodies(*parts).simulate(1.0)
    t = np.linspace(0.0, 1.0, 4).reshape(2, 2)
    for name in ("spring.f", "damper.f", "spring.frame_a.f", "first.a"):
        together = sol(t, name)
        for index in np.ndindex(t.shape):
            assert_close(together[index], sol(t[index], name), atol=1e-12)


def test_a_stiff_spring_damper_is_integrated_by_the_automatic_method() -> None:
    from dynarig.core.mechanism import planar

    # rates 1e6 and 1, the roots of r^2 - 1e6 r + 1e6: the fast one dies at once
    fast = 5e5 * (1.0 + np.sqrt(1.0 - 4e-6))
    slow = 1e6 / fast
    stiff = planar.SpringDamper("stiff", c=2e6, d=2e6, s_unstretched=0.5)
    sol = planar_slide(stiff).simulate(2.0, tolerance=1e-7)
    assert "rosenbrock" in sol.trajectory.method
    assert sol.trajectory.steps < 500
    t = np.linspace(0.5, 2.0, 16)
    stretch = 0.5 * fast / (fast - slow) * np.exp(-slow * t)
    assert_close(sol(t, "slide.s"), 0.5 + stretch, atol=1e-7)


def test_it_is_drawn_as_a_line_between_its_frames() -> None:
    from dynarig.core.mechanism import spatial
    from dynarig.core.mechanism.drawing import Scene

    spring = spatial.Spring("spring", radius=0.05, color=(1.0, 0.0, 0.0))
    damper, both = spatial.Damper("damper"), spatial.SpringDamper("both")
    places = two_bodies(spring, damper, both).compile().places
    scene = Scene(places, 3.0)
    for element in (spring, damper, both):
        element.drawn(scene)
    assert [line.kind for line in scene.lines] == ["spring", "damper", "spring-damper"]
    assert [line.component for line in scene.lines] == ["spring", "damper", "both"]
    first, second = scene.lines[:2]
    assert (first.radius, first.color) == (0.05, (1.0, 0.0, 0.0))
    assert second.radius == pytest.approx(0.02 * 3.0)
    assert (first.start[0], first.end[0]) == ("first", "second")
    assert_close(first.start[1], [0.3, 0.0, 0.0], atol=0.0)
    assert_close(first.end[1], [0.0, 0.4, 0.0], atol=0.0)


def test_errors_name_the_component_and_the_parameter() -> None:
    from dynarig.core.errors import ArgumentError, ModelError
    from dynarig.core.mechanism import Mechanism, planar

    with pytest.raises(ArgumentError, match=r"Spring 'a': c: wanted a number of 0 or above"):
        planar.Spring("a", c=-1.0)
    with pytest.raises(ArgumentError, match=r"Damper 'a': d: wanted a finite number"):
        planar.Damper("a", d="much")
    with pytest.raises(
        ArgumentError, match=r"Spring 'a': .*'k'.*it takes name, and by name c, s_unstretched"
    ):
        planar.Spring("a", k=1.0)
    world, body, spring = planar.World("world"), planar.Body("body"), planar.Spring("spring")
    mechanism = Mechanism("loose", [world, body, spring])
    mechanism.connect(world.frame_b, spring.frame_a)
    with pytest.raises(ModelError, match=r"loose: Spring 'spring': spring.frame_b is not conn"):
        mechanism.compile()
