"""Every error this package raises on purpose, under one base."""


class DynarigError(Exception):
    """Base of all errors raised on purpose; messages say what was wanted and what is allowed."""


class ArgumentError(DynarigError, ValueError):
    """A value that a function cannot take; the message says what was wanted and what was given."""


class GimbalLockError(ArgumentError):
    """Euler angles asked for where the first and the third axis fall together."""


class UrdfError(DynarigError):
    """A description that cannot be read; the message names the file, the line and the element."""


class ModelError(DynarigError):
    """A mechanism that cannot be compiled or evaluated; the message names the joint or body."""


class SimulationError(DynarigError):
    """A motion that cannot be continued; the message names the time and, where known, the joint."""


class TrajectoryError(DynarigError):
    """Joint values that do not fit the robot; the message names the file, line and column."""
