"""The built zip installs in this Blender and leaves without a trace."""

import os
import subprocess
import sys
from pathlib import Path

import bpy

SCRIPT = Path(__file__).with_name("install_and_remove.py")
ROBOT = """<robot name="two_boxes">
  <link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <link name="arm"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/></joint>
</robot>"""


def this_blender() -> list[str]:
    """The command that runs a script in another process of the Blender that runs this."""
    if bpy.app.binary_path:
        return [bpy.app.binary_path, "--background", "--factory-startup", "--python"]
    return [sys.executable]


def test_installs_and_uninstalls_without_a_trace(extension_zip: Path, tmp_path: Path) -> None:
    robot = tmp_path / "two_boxes.urdf"
    robot.write_text(ROBOT)
    # the same by way of xacro, which is bundled
    turned = ROBOT.replace("arm", "${'ar' + 'm'}").replace("1 1 1", "1 1 ${cos(0)}")
    robot.with_suffix(".xacro").write_text(turned)
    settings = tmp_path / "settings"
    settings.mkdir()
    done = subprocess.run(
        [*this_blender(), str(SCRIPT), "--", str(extension_zip), str(robot)],
        env={**os.environ, "BLENDER_USER_RESOURCES": str(settings)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "DONE" in done.stdout.split(), done.stdout + done.stderr
    assert done.returncode == 0
