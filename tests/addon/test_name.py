"""In these tests, and for scripts, `dynarig` names the very modules that Blender has registered."""

import sys
from types import ModuleType

import bpy
import dynarig.core.errors
from package import load_package


def test_the_package_runs_under_its_true_name(extension: ModuleType) -> None:
    assert extension.__name__.startswith("bl_ext.")
    assert extension.__name__.endswith(".dynarig")
    assert load_package() is extension
    assert sys.modules["dynarig"] is extension


def test_a_module_exists_once_under_both_names(extension: ModuleType) -> None:
    true_name = f"{extension.__name__}.core.errors"
    assert dynarig.core.errors.__name__ == true_name
    assert dynarig.core.errors is sys.modules[true_name]
    assert dynarig.core.errors.__spec__.name == true_name


def test_the_registered_operator_is_of_this_package(extension: ModuleType) -> None:
    operator = bpy.types.Operator.bl_rna_get_subclass_py("DYNARIG_OT_import_urdf")
    assert operator.__module__.startswith(extension.__name__)
