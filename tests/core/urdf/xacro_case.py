"""What the tests of xacro share: small files, and the error of one."""

from pathlib import Path

import pytest
from dynarig.core.errors import UrdfError
from dynarig.core.urdf import load_urdf

DATA = Path(__file__).resolve().parents[2] / "data" / "urdf"
ADDRESS = "http://www.ros.org/wiki/xacro"


def write(file, body, name="r"):
    """A xacro file; its body begins on line 2."""
    file.parent.mkdir(parents=True, exist_ok=True)
    text = f'<robot name="{name}" xmlns:xacro="{ADDRESS}">\n{body}\n</robot>\n'
    file.write_text(text, encoding="utf-8")
    return file


def error_of(file, package_dirs=(), xacro_args=None):
    """The message of the one error that a file may end in."""
    with pytest.raises(UrdfError) as caught:
        load_urdf(file, package_dirs, xacro_args)
    message = str(caught.value)
    assert "\n" not in message
    return message


def names(robot):
    return [link.name for link in robot.links]
