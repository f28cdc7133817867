"""The options of contact and motors: what the Bake operator offers, for a command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from .values import fraction, not_negative, positive

NO_GROUND, FLOOR = "none", "floor"
FRICTION_ONLY = "add --scheme friction"
DEFAULT_FRICTION = 0.5  # the add-on's own, as are the two below
HOLD_FREQUENCY, HOLD_DAMPING = 5.0, 1.0


@dataclass(frozen=True)
class ContactOptions:
    """What was asked about contact and motors. Numbers are in range; None is the default."""

    scheme: Literal["exact", "friction"] = "exact"
    ground: tuple[str, ...] = (NO_GROUND,)  # one of the two words, or mesh files
    restitution: float | None = None
    friction: float | None = None
    contact_step: float | None = None  # s
    self_collision: bool = False
    geometry: Literal["collision", "visual"] = "collision"
    surfaces: Path | None = None
    hold: bool = False
    hold_frequency: float | None = None  # Hz
    hold_damping: float | None = None  # of critical damping
    drop: float | None = None  # m
    impact_keys: bool = True

    @property
    def ground_files(self) -> tuple[Path, ...]:
        """The mesh files that are the ground."""
        words = (NO_GROUND, FLOOR)
        return tuple(Path(text) for text in self.ground if text not in words)


def split_contact(given: Mapping[str, Any]) -> tuple[ContactOptions, dict[str, Any]]:
    """The options of contact out of all that argparse has read, and the others."""
    own = {field.name for field in fields(ContactOptions)}
    contact = {name: value for name, value in given.items() if name in own}
    contact["ground"] = tuple(contact["ground"] or (NO_GROUND,))
    return ContactOptions(**contact), {k: v for k, v in given.items() if k not in own}


def check_contact(
    options: ContactOptions, floating: bool, posed: tuple[str, ...], given_motion: bool
) -> None:
    """Check what depends on several options; ValueError says what is wrong.

    Args:
        floating: whether the robot's root moves freely.
        posed: the coordinates that --pose names.
        given_motion: whether the motion is read, not simulated.
    """
    if not all(text.strip() for text in options.ground):
        raise ValueError(f"--ground: wanted {NO_GROUND}, {FLOOR} or mesh files, got an empty name")
    if len(options.ground) > 1 and {NO_GROUND, FLOOR} & set(options.ground):
        raise ValueError(f"--ground: wanted {NO_GROUND}, {FLOOR} or mesh files, not both")
    if given_motion:
        _check_given(options)
    elif options.scheme == "exact":
        _check_exact(options)
    gains = {"--hold-frequency": options.hold_frequency, "--hold-damping": options.hold_damping}
    for name, value in gains.items():
        if value is not None and not options.hold:
            raise ValueError(f"{name} is for motors that hold the pose; add --hold")
    if options.drop is not None:
        _check_drop(options, floating, posed)


def _check_exact(options: ContactOptions) -> None:
    asked = {
        "--friction": options.friction is not None,
        "--contact-step": options.contact_step is not None,
        "--self-collision": options.self_collision,
        "--ground with a mesh file": bool(options.ground_files),
    }
    for name, is_asked in asked.items():
        if is_asked:
            raise ValueError(f"{name}: exact impacts know none; {FRICTION_ONLY}")


def _check_drop(options: ContactOptions, floating: bool, posed: tuple[str, ...]) -> None:
    if not floating:
        raise ValueError("--drop: a robot whose root is held does not fall; add --floating-base")
    if options.ground == (NO_GROUND,):
        raise ValueError("--drop: there is nothing to fall on; add --ground floor")
    if options.ground_files:
        raise ValueError(
            "--drop measures from z = 0, and not from a mesh file; give the height of the root "
            "instead: --pose floating_base.z=0.5"
        )
    if "floating_base.z" in posed:
        raise ValueError("--drop and --pose floating_base.z both say where the robot starts")


def _check_given(options: ContactOptions) -> None:
    asked = {
        "--hold": options.hold,
        "--drop": options.drop is not None,
        "--restitution": options.restitution is not None,
        "--friction": options.friction is not None,
        "--contact-step": options.contact_step is not None,
        "--self-collision": options.self_collision,
        "--surfaces": options.surfaces is not None,
    }
    for name, is_asked in asked.items():
        if is_asked:
            raise ValueError(f"{name} has no meaning with --trajectory, which is not simulated")


def add_contact(top: argparse.ArgumentParser) -> None:
    """What the robot touches."""
    group = top.add_argument_group("contact")
    group.add_argument(
        "--scheme",
        choices=("exact", "friction"),
        default="exact",
        help="exact: every hit and every joint limit as an event at its very time, without "
        "friction; friction: small steps of time with Coulomb friction, for robots that land, "
        "stand and slide (default: exact)",
    )
    group.add_argument(
        "--ground",
        nargs="+",
        metavar=f"{NO_GROUND}|{FLOOR}|FILE",
        help=f"what the robot touches: nothing, the plane z = 0, or meshes in m that stand still "
        "(.stl, .obj, .ply, .dae, .glb; for --scheme friction); the scene shows it (default: "
        f"{NO_GROUND})",
    )
    group.add_argument(
        "--friction",
        type=not_negative,
        metavar="MU",
        help="coefficient of the ground and of all links, for --scheme friction; two surfaces "
        f"have the root of the product of theirs (default: {DEFAULT_FRICTION:g})",
    )
    group.add_argument(
        "--restitution",
        type=fraction,
        metavar="E",
        help="speed after a hit over speed before, 0 (dead) to 1 (elastic) (default: 0)",
    )
    group.add_argument(
        "--surfaces",
        type=Path,
        metavar="X.json",
        help='links of their own: {"LINK": {"friction": 0.9, "restitution": 0.2, "collides": '
        'true, "limit": true, "limit_restitution": 0.3}, …}, each entry as needed; the last two '
        "are of the joint that moves the link",
    )
    group.add_argument(
        "--geometry",
        choices=("collision", "visual"),
        default="collision",
        help="which shapes of the links touch, of meshes their convex hulls (default: collision, "
        "or visual where the robot has no other)",
    )
    group.add_argument(
        "--self-collision",
        action="store_true",
        help="links touch each other too, but for neighbours; for --scheme friction",
    )
    group.add_argument(
        "--contact-step",
        type=positive,
        metavar="S",
        help="step of --scheme friction in seconds (default: 0.002)",
    )
    group.add_argument(
        "--drop",
        type=not_negative,
        metavar="H",
        help="start with the lowest point that touches H metres above z = 0, for --ground floor; "
        "the root's own place is a pose: --pose floating_base.z=0.5",
    )
    add_motors(top)


def add_motors(top: argparse.ArgumentParser) -> None:
    """What holds the joints."""
    group = top.add_argument_group("motors")
    group.add_argument(
        "--hold",
        action="store_true",
        help="motors hold the start pose, with no more effort than the description allows",
    )
    group.add_argument(
        "--hold-frequency",
        type=positive,
        metavar="HZ",
        help="how stiff they are: how often in a second a joint would swing (default: "
        f"{HOLD_FREQUENCY:g})",
    )
    group.add_argument(
        "--hold-damping",
        type=not_negative,
        metavar="ZETA",
        help=f"below 1 they swing, at 1 they settle quickest (default: {HOLD_DAMPING:g})",
    )
