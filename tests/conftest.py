"""What all tests share: the package under its name, and the example robots.

Where Blender can be imported, `dynarig` is the extension, enabled under its true name
`bl_ext.<repository>.dynarig`; elsewhere it is the checkout.
"""

import importlib.util
import os
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT / "scripts") not in sys.path:
    sys.path.insert(0, str(ROOT / "scripts"))

from devtools.extension import zip_path  # noqa: E402
from devtools.live_extension import enable_checkout  # noqa: E402
from devtools.packages import robots_folder, robots_place  # noqa: E402
from package import load_package  # noqa: E402

STATE = pytest.StashKey[Exception | None]()


def pytest_configure(config: pytest.Config) -> None:
    """Load the package before any test module imports it."""
    config.stash[STATE] = load_in_blender_or_plain()


def load_in_blender_or_plain() -> Exception | None:
    """Make `dynarig` importable; return why the add-on is not enabled, where it should be."""
    if "bpy" not in sys.modules and importlib.util.find_spec("bpy") is None:
        load_package()
        return None
    try:
        enable_checkout()
    except RuntimeError as error:
        # the core can be tested all the same; tests of the add-on fail with this error
        load_package()
        return error
    return None


@pytest.fixture(scope="session")
def extension(pytestconfig: pytest.Config) -> ModuleType:
    """The package, enabled as an extension in this Blender."""
    error = pytestconfig.stash[STATE]
    if error is not None:
        pytest.fail(str(error))
    package = sys.modules["dynarig"]
    if not package.__name__.startswith("bl_ext."):
        pytest.fail("no Blender in this Python: run `python3 scripts/dev.py test`")
    return package


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def data() -> Path:
    """The files in tests/data."""
    return ROOT / "tests" / "data"


@pytest.fixture(scope="session")
def robots() -> Path:
    """The folder with one folder per example robot, such as panda_description.

    Taken from DYNARIG_ROBOTS, else from the installed example-robot-data, else from dev.py's cache.
    """
    named = os.environ.get("DYNARIG_ROBOTS")
    installed = [robots_folder(Path(path)) for path in (*sys.path, robots_place())]
    places = [Path(named)] if named else installed
    for place in places:
        if (place / "panda_description").is_dir():
            return place
    pytest.fail(f"no example robots in {places[-1]}: run `python3 scripts/dev.py test` once")


@pytest.fixture(scope="session")
def extension_zip() -> Path:
    """The zip that dev.py has built, certain to be of the files as they are now."""
    path = zip_path()
    if not path.is_file():
        pytest.fail(f"no {path}: run `python3 scripts/dev.py build`")
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if not (ROOT / name).is_file() or archive.read(name) != (ROOT / name).read_bytes():
                pytest.fail(f"{path.name} is older than {name}: run `python3 scripts/dev.py build`")
    return path
