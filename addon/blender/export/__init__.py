"""A robot as it is in the scene, written as a URDF file."""

from ..seven_digits import rounded
from .exporter import ExportResult, export_robot, robot_of_scene

__all__ = ["ExportResult", "export_robot", "robot_of_scene", "rounded"]
