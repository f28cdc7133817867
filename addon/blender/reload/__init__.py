"""Reload from File: a rig brought up to date with its robot file, in place."""

from .changes import ReloadChanges
from .reloading import ReloadResult, is_file_gone, reload_robot

__all__ = ["ReloadChanges", "ReloadResult", "is_file_gone", "reload_robot"]
