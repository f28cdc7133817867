"""The demo: a robot falls under gravity, as a film, a picture, a scene and a table of figures."""

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .environments import default_environment
from .packages import fetch_robots
from .places import BUILD, ROOT
from .terminal import DevError, say

PANDA = Path("panda_description", "urdf", "panda.urdf")
SCRIPT = ROOT / "scripts" / "simulate_urdf.py"
# raised and to the side, inside all limits, so that the arm falls clear of its own base
PANDA_POSE = (
    "panda_joint1=1.5",
    "panda_joint2=0.2",
    "panda_joint3=-1.42",
    "panda_joint4=-1.3",
    "panda_joint5=-1.22",
    "panda_joint6=1.15",
    "panda_joint7=0.785",
    "panda_finger_joint1=0.03",
)
PANDA_DAMPING = 1.0  # N m s/rad beside the file's 0.003: the arm comes to rest in two seconds
PANDA_DURATION = 2.5  # s
DURATION = 5.0  # s, of any other robot
FPS = 24
LABEL_WIDTH = 50  # of the table that the script prints


@dataclass(frozen=True)
class Demo:
    """What the demo is to do."""

    robot: Path | None = None  # the Panda where none is given
    out: Path = BUILD / "demo"
    duration: float | None = None  # s; PANDA_DURATION or DURATION where none is given
    render: bool = True

    def motion(self) -> list[str]:
        """The script's options for the motion."""
        of_panda = self.robot is None
        duration = self.duration
        if duration is None:
            duration = PANDA_DURATION if of_panda else DURATION
        options = ["--duration", f"{duration:g}", "--fps", str(FPS)]
        if of_panda:
            options += ["--damping", f"{PANDA_DAMPING:g}", "--pose", *PANDA_POSE]
        return options

    def products(self, name: str) -> dict[str, Path]:
        """The files to write, by the option of the script that asks for them."""
        suffixes = {"out": "blend", "csv": "csv"}
        if self.render:
            suffixes |= {"render": "mp4", "sheet": "png"}
        return {option: self.out / f"{name}.{suffix}" for option, suffix in suffixes.items()}


def run_demo(demo: Demo) -> int:
    """Set up, then run the script as a user would; return its exit code."""
    start = time.perf_counter()
    # what can be wrong is told before anything is downloaded
    if demo.robot is not None and not demo.robot.is_file():
        raise DevError(f"no robot file {demo.robot}")
    try:
        demo.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DevError(f"--out {demo.out}: cannot be made a folder: {error.strerror}") from error
    environment = default_environment()
    robot = demo.robot or fetch_robots() / PANDA
    setup = time.perf_counter() - start

    products = demo.products(robot.stem)
    command = [str(environment.python), str(SCRIPT), str(robot)]
    command += demo.motion()
    for option, file in products.items():
        command += [f"--{option}", str(file)]
    code = subprocess.run(command, check=False).returncode
    if code == 0:
        say(f"  {'set-up':<{LABEL_WIDTH}}  {setup:>9.2f} s\n")
        for file in products.values():
            say(f"  {shown(file)}")
    return code


def shown(file: Path) -> str:
    """A path, from the current folder where it is below it."""
    folder = Path.cwd()
    return str(file.relative_to(folder) if file.is_relative_to(folder) else file)
