"""Reload from File: a rig brought up to date with its robot file, in place."""

from .changes import ReloadChanges
from .checks import is_file_gone
from .reloading import ReloadResult, reload_robot

__all__ = ["ReloadChanges", "ReloadResult", "is_file_gone", "reload_robot"]
