"""BLAS has one thread while a motion is computed, and as many as before it afterwards."""

import sys
from types import SimpleNamespace

import bpy
import pytest
from dynarig.addon import single_thread as module
from dynarig.addon.blender import preset_play
from dynarig.addon.blender.bake import bake
from dynarig.addon.blender.bake.bake import (
    bake_robot,
    prepare_bake,
    simulate_bake,
    write_bake,
)
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.loops import close_loops, closing
from dynarig.addon.blender.preset_play import enter_preset
from dynarig.addon.errors import RigError
from dynarig.addon.job import Run
from dynarig.addon.single_thread import single_thread
from dynarig.core.simulate import run as run_simulation

from ...close import assert_close

LINK = """
<link name="{i}"><inertial><mass value="0.1"/>
 <inertia ixx="1e-4" iyy="2e-4" izz="3e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
JOINT = """
<joint name="joint{i}" type="continuous"><parent link="{before}"/><child link="{i}"/>
 <origin xyz="0.1 0 0" rpy="0.1 0.05 0"/><axis xyz="0 {y} {z}"/></joint>"""
LINKS = 45  # the older OpenBLAS solves for 36 unknowns and more with all its threads

PLAN = SimpleNamespace(settings=BakeSettings(), compiled=None, use_impact_keys=True)


def chain():
    links = "".join(LINK.format(i=i) for i in range(LINKS))
    pairs = range(1, LINKS)
    return links + "".join(JOINT.format(i=i, before=i - 1, y=i % 2, z=1 - i % 2) for i in pairs)


@pytest.fixture
def threads():
    """How many threads BLAS has, which is made two, however many cores there are."""
    from threadpoolctl import ThreadpoolController

    blas = ThreadpoolController().select(user_api="blas")
    if not len(blas):
        pytest.skip("the BLAS of this numpy has no threads")
    with blas.limit(limits=2, user_api="blas"):
        yield lambda: {own["num_threads"] for own in blas.info()}


def test_one_thread_inside_and_all_after(threads):
    assert threads() == {2}
    with single_thread():
        assert threads() == {1}
        with single_thread():
            assert threads() == {1}
        assert threads() == {1}
    assert threads() == {2}


def test_after_an_error_too(threads):
    seen = []

    @single_thread()
    def fail():
        seen.append(threads())
        raise RigError("on purpose")

    with pytest.raises(RigError):
        fail()
    assert seen == [{1}]
    assert threads() == {2}


def test_work_has_one_thread_and_blender_between_its_slices_all(threads):
    seen = []

    def work():
        for number in range(3):
            seen.append(threads())
            yield number / 3
        raise RigError("no more")

    run = Run(work())
    for _ in range(3):
        run.advance(0.0)
        assert threads() == {2}
    with pytest.raises(RigError):
        run.advance(0.0)
    assert seen == [{1}] * 3
    assert threads() == {2}


@pytest.mark.parametrize(
    ("function", "first", "arguments"),
    [
        (bake_robot, (bake, "prepare_bake"), (None, None, None)),
        (write_bake, (BakeSettings, "check"), (None, PLAN, None, 0.0)),
        (close_loops, (closing, "check_editable"), (None, None)),
        (enter_preset, (preset_play, "joint_keys"), (None, PLAN, None, None, 0.0)),
    ],
)
def test_long_functions_have_one_thread(threads, monkeypatch, function, first, arguments):
    seen = []

    def stop(*_, **__):
        seen.append(threads())
        raise RigError("far enough")

    monkeypatch.setattr(*first, stop)
    with pytest.raises(RigError):
        function(*arguments)
    assert seen == [{1}]
    assert threads() == {2}


def test_the_motion_is_the_same(threads, lab):
    robot = lab.load_text(chain(), True).object
    plan = prepare_bake(bpy.context, robot, BakeSettings(frame_end=3))
    without = run_simulation(simulate_bake(plan))
    motion = bake_robot(bpy.context, robot, BakeSettings(frame_end=3)).trajectory
    assert_close(motion.q, without.q, 1e-9)
    assert abs(motion.q[-1] - motion.q[0]).max() > 1e-3


@pytest.mark.parametrize("missing", ["library", "BLAS"])
def test_without_library_or_blas_it_does_nothing(monkeypatch, missing):
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    if missing == "BLAS":
        monkeypatch.setitem(sys.modules, "threadpoolctl", NoBlas)
    module._blas.cache_clear()
    try:
        assert module._blas() is None
        with single_thread():
            pass
    finally:
        module._blas.cache_clear()


class NoBlas:
    """threadpoolctl in a process without libraries that it knows."""

    class ThreadpoolController(list):
        def select(self, **_):
            return self
