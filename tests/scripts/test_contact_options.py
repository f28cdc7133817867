"""The options of contact and motors, on their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from batch.contact_options import (
    DEFAULT_FRICTION,
    HOLD_DAMPING,
    HOLD_FREQUENCY,
    ContactOptions,
)
from batch.ground import Ground
from batch.options import read_options
from batch.settings import contact_settings
from dynarig.addon.blender.contact import settings as addon

GOOD = ["arm.urdf", "--out", "arm.blend"]
WITH_FRICTION = [*GOOD, "--scheme", "friction"]


def contact(*arguments: str) -> ContactOptions:
    """The options of contact that are read."""
    return read_options([*GOOD, *arguments]).contact


def test_nothing_asked_is_as_the_add_on_has_it() -> None:
    assert contact() == ContactOptions()
    assert contact_settings(contact(), Ground()) == addon.ContactSettings()


def test_what_help_says_of_defaults_is_the_add_ons() -> None:
    own = addon.ContactSettings()
    assert own.surface_friction == DEFAULT_FRICTION
    assert (own.motor_frequency, own.motor_damping) == (HOLD_FREQUENCY, HOLD_DAMPING)


def test_every_option_reaches_the_add_on() -> None:
    given = contact(
        *(
            "--scheme",
            "friction",
            "--ground",
            "floor",
            "--friction",
            "0.8",
            "--restitution",
            "0.25",
        ),
        *("--contact-step", "1e-3", "--self-collision", "--geometry", "visual", "--hold"),
        *("--hold-frequency", "12", "--hold-damping", "0.5", "--no-impact-keys"),
    )
    assert contact_settings(given, Ground()) == addon.ContactSettings(
        scheme="FRICTION",
        ground="FLOOR",
        restitution=0.25,
        friction=0.8,
        step=1e-3,
        use_self_collision=True,
        geometry="VISUAL",
        motors="HOLD",
        motor_frequency=12.0,
        motor_damping=0.5,
        use_impact_keys=False,
    )


def test_the_ground_may_be_files() -> None:
    given = contact("--scheme", "friction", "--ground", "a.stl", "floor.obj")
    assert given.ground_files == (Path("a.stl"), Path("floor.obj"))
    assert contact("--ground", "floor").ground_files == ()
    settings = contact_settings(given, Ground(("a", "floor"), 0.0))
    assert (settings.ground, settings.objects) == ("OBJECTS", ("a", "floor"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--friction", "0.5"], ["--friction", "--scheme friction"]),
        (["--contact-step", "0.01"], ["--contact-step", "--scheme friction"]),
        (["--self-collision"], ["--self-collision", "--scheme friction"]),
        (["--ground", "a.stl"], ["--ground", "--scheme friction"]),
        (["--scheme", "friction", "--ground", "floor", "a.stl"], ["--ground", "not both"]),
        (["--scheme", "friction", "--friction", "-1"], ["--friction", "0 or more"]),
        (["--scheme", "rubber"], ["--scheme", "exact"]),
        (["--restitution", "1.01"], ["--restitution", "from 0 to 1"]),
        (["--restitution", "nan"], ["--restitution"]),
        (["--scheme", "friction", "--contact-step", "0"], ["--contact-step"]),
        (["--hold-frequency", "3"], ["--hold-frequency", "--hold"]),
        (["--hold-damping", "3"], ["--hold-damping", "--hold"]),
        (["--hold", "--hold-frequency", "0"], ["--hold-frequency"]),
        (["--ground", "floor", "--drop", "1"], ["--drop", "--floating-base"]),
        (["--floating-base", "--drop", "1"], ["--drop", "--ground floor"]),
        (
            ["--floating-base", "--ground", "floor", "--drop", "1", "--pose", "floating_base.z=1"],
            ["--drop", "floating_base.z"],
        ),
        (
            ["--floating-base", "--scheme", "friction", "--ground", "a.stl", "--drop", "1"],
            ["--drop measures from z = 0", "--pose floating_base.z"],
        ),
        (["--ground", ""], ["--ground", "got an empty name"]),
        (["--trajectory", "x.npz", "--hold"], ["--hold", "--trajectory"]),
        (["--trajectory", "x.npz", "--restitution", "0"], ["--restitution", "--trajectory"]),
        (["--trajectory", "x.npz", "--surfaces", "x.json"], ["--surfaces", "--trajectory"]),
    ],
)
def test_what_does_not_go_together_is_one_line_and_exit_code_2(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        read_options([*GOOD, *arguments])
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert not out
    assert len(err.splitlines()) == 1
    assert all(word in err for word in words), err


def test_a_motion_that_is_given_may_show_the_ground_and_go_without_impact_keys() -> None:
    given = contact("--trajectory", "x.npz", "--ground", "floor", "--no-impact-keys")
    assert given.ground == ("floor",)
    assert not given.impact_keys
    assert contact("--trajectory", "x.npz", "--ground", "a.stl").ground_files == (Path("a.stl"),)
