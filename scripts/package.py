"""Find the package this script belongs to, and make it importable as `dynarig`.

The folder above `scripts/` is the package, whatever that folder is called: a checkout, or an
extension that Blender has installed and enabled as `bl_ext.<repository>.dynarig`. A script says

    from package import load_package

    load_package()
    from dynarig.core.urdf import load_urdf

and in both cases gets the modules of its own folder; in the second they are the very ones that
Blender has registered.
"""

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

NAME = "dynarig"
BUNDLED = ("collada", "threadpoolctl", "xacro", "yaml")  # what the package imports of its wheels
ROOT = Path(__file__).resolve().parent.parent


def load_package() -> ModuleType:
    """Return the package of this folder, importable as `dynarig` from now on.

    Raises:
        ImportError: another package already goes by the name `dynarig` in this process.
    """
    add_wheels()
    known = sys.modules.get(NAME)
    if known is not None:
        if not is_this_package(known):
            raise ImportError(
                f"the name {NAME!r} is taken by {known.__file__}, wanted {ROOT}; "
                "start Python without that package"
            )
        return known
    for module in tuple(sys.modules.values()):
        if is_this_package(module):
            return alias_package(module)
    return load_checkout()


def is_this_package(module: object) -> bool:
    """True when the module is the root package of this folder, under any name."""
    file = getattr(module, "__file__", None)
    path = getattr(module, "__path__", None)
    return bool(file and path) and Path(str(file)).resolve() == ROOT / "__init__.py"


def load_checkout() -> ModuleType:
    """Import the folder itself under the name `dynarig`."""
    spec = importlib.util.spec_from_file_location(
        NAME, ROOT / "__init__.py", submodule_search_locations=[str(ROOT)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"no package in {ROOT}: wanted an __init__.py there")
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    try:
        spec.loader.exec_module(package)
    except BaseException:
        del sys.modules[NAME]
        raise
    return package


def alias_package(package: ModuleType) -> ModuleType:
    """Let `dynarig` and `dynarig.*` name the modules of a package imported under another name."""
    if not any(isinstance(finder, AliasFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, AliasFinder(package.__name__))
    sys.modules[NAME] = package
    return package


class AliasFinder(MetaPathFinder, Loader):
    """Answers `import dynarig.a.b` with the module `<real name>.a.b`."""

    def __init__(self, real_name: str) -> None:
        self.real_name = real_name
        self.true_specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Claim the submodules of `dynarig`, and nothing else."""
        return ModuleSpec(fullname, self) if fullname.startswith(f"{NAME}.") else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Import the module under its real name and hand it out."""
        module = importlib.import_module(self.real_name + spec.name.removeprefix(NAME))
        self.true_specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Put back the module's own spec: the import system has just replaced it by the alias."""
        assert module.__spec__ is not None
        module.__spec__ = self.true_specs.pop(module.__spec__.name)


def add_wheels() -> None:
    """Put the bundled wheels on sys.path where their packages are not installed."""
    if all(importlib.util.find_spec(name) is not None for name in BUNDLED):
        return
    for wheel in sorted((ROOT / "wheels").glob("*.whl")):
        if str(wheel) not in sys.path:
            sys.path.append(str(wheel))
