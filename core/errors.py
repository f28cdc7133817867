"""Every error this package raises on purpose, under one base."""


class DynarigError(Exception):
    """Base of all errors that dynarig raises; the message says what was wanted and what is allowed."""


class UrdfError(DynarigError):
    """A robot description that cannot be read; the message names the file, the line and the element."""


class ModelError(DynarigError):
    """A mechanism that cannot be compiled or evaluated; the message names the joint or body."""


class SimulationError(DynarigError):
    """A motion that cannot be continued; the message names the time and, where known, the joint."""


class TrajectoryError(DynarigError):
    """A table of joint values that does not fit the robot; the message names the file, line and column."""
