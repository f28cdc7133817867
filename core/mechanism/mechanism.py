"""A mechanism: named components with connected frames."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray
from ..dynamics.contact.impact_law import ImpactRule, check_rule
from ..errors import ArgumentError, ModelError, SimulationError
from .compiled import Compiled
from .compiling import compile_components
from .component import Component, Space
from .frame import Frame
from .world import World

if TYPE_CHECKING:
    from .solution import MechanismSolution

SAMPLES_PER_SECOND = 60.0  # of a simulation that was given a duration
STEPPING = "time-stepping"  # the scheme that takes contacts with friction
MOST_SAMPLES = 1e7  # of the same: more would rather fill the memory than be looked at


class Mechanism:
    """Components and the connections between their frames.

        pendulum = Mechanism("pendulum", [world, revolute, rod, body])
        pendulum.chain(world, revolute, rod, body)
        sol = pendulum.simulate(3.0)

    Attributes:
        name: for messages and files.
        components: in the order they were given, by name.
        impacts: the rule for contacts that close at one instant: 'joint', all together, or
            'sequential', one after the other in the order of the components.
    """

    def __init__(
        self, name: str, components: Iterable[Component] = (), *, impacts: ImpactRule = "joint"
    ) -> None:
        if not isinstance(name, str) or not name:
            raise ArgumentError(f"Mechanism: name: wanted text, got {name!r}")
        check_rule(impacts)
        self.name, self.impacts = name, impacts
        self.components: dict[str, Component] = {}
        self._connections: list[tuple[Frame, ...]] = []
        try:
            given = tuple(components)
        except TypeError:
            raise ArgumentError(
                f"{name}: components: wanted a list of components, got {components!r}"
            ) from None
        self.add(*given)

    def add(self, *components: Component) -> None:
        """Add components.

        Raises:
            ModelError: for a name that is taken, and for planar among spatial ones.
        """
        for component in components:
            if not isinstance(component, Component):
                raise ArgumentError(
                    f"{self.name}: wanted components such as planar.Body(…), got {component!r}"
                )
            other = self.components.get(component.name)
            if other is not None:
                raise ModelError(
                    f"{self.name}: two components are called '{component.name}': {other.label} and "
                    f"{component.label}; give each a name of its own"
                )
            first = next(iter(self.components.values()), component)
            if first.space != component.space:
                raise ModelError(
                    f"{self.name}: {component.label} is {component.space} and {first.label} is "
                    f"{first.space}; a mechanism is all planar or all spatial"
                )
            self.components[component.name] = component

    def connect(self, *frames: Frame) -> None:
        """Make two or more frames one: equal in position and orientation, forces in balance.

        Raises:
            ModelError: for frames of components that are not in this mechanism.
        """
        for frame in frames:
            if not isinstance(frame, Frame):
                raise ArgumentError(
                    f"{self.name}: connect: wanted frames such as rod.frame_b, got {frame!r}"
                )
            self._refuse_stranger(frame.component, frame.path)
        if len(frames) < 2:
            given = ", ".join(frame.path for frame in frames) or "none"
            raise ArgumentError(f"{self.name}: connect: wanted two or more frames, got {given}")
        if len(set(frames)) < len(frames):
            raise ArgumentError(
                f"{self.name}: connect: wanted different frames, got "
                f"{', '.join(frame.path for frame in frames)}"
            )
        self._connections.append(frames)

    def chain(self, *components: Component) -> None:
        """Connect frame_b of each component to frame_a of the next.

        Raises:
            ModelError, ArgumentError: as `connect`, and for a component without such a frame.
        """
        if len(components) < 2:
            raise ArgumentError(f"{self.name}: chain: wanted two or more components")
        for first, second in pairwise(components):
            for component in (first, second):
                if not isinstance(component, Component):
                    raise ArgumentError(f"{self.name}: chain: wanted components, got {component!r}")
                self._refuse_stranger(component, component.label)
            self.connect(first.frame_b, second.frame_a)

    @property
    def connections(self) -> tuple[tuple[Frame, ...], ...]:
        """What was connected, in order."""
        return tuple(self._connections)

    @property
    def space(self) -> Space:
        """'planar' or 'spatial'."""
        return self._world().space

    def compile(self, method: str = "auto") -> Compiled:
        """Work out the tree of bodies, its model and system.

        Frames that stand still against each other become one body. A part that no joint ties to
        the world moves freely, and its state is that of its root: the first of its bodies that
        was given initial values or an orientation state, else the first of them. A joint that
        closes a loop becomes a constraint; `loops` names the components around.

        Args:
            method: the scheme that it is for: 'time-stepping' takes contacts in its own way, all
                others as exact impacts.

        Raises:
            ModelError: where the components do not make a mechanism, naming them.
        """
        return self._compiled(0.0, method == STEPPING)

    def simulate(self, times: ArrayLike, **options: object) -> MechanismSolution:
        """Simulate from the initial values of the components.

        Args:
            times: a duration, s, or the times (n,) to sample at, increasing, from the one of the
                initial state on. The solution answers for all times in between, either way.
            options: of `core.simulate`: tolerance or rtol and atol, max_step, method with its
                step, limits, damping, passive, index. A duration is sampled 60 times a second.
                method="time-stepping" takes contacts with friction and all their shapes.

        Returns:
            The solution: `sol(t, 'revolute.phi')`.

        Raises:
            ModelError: as `compile`.
            SimulationError: for arguments that do not fit, loops that cannot close, naming them
                and by how much, and a motion that cannot go on.

        Warns:
            ConstraintWarning: where constraints have moved the start, saying what and how far.
        """
        from .solution import solve  # which knows mechanisms

        when = self._times(times)
        known = when.ndim == 1 and when.size and when.dtype.kind in "iuf" and np.isfinite(when[0])
        stepped = options.get("method") == STEPPING
        return solve(self, self._compiled(float(when[0]) if known else 0.0, stepped), when, options)

    def load(self, path: Path | str) -> MechanismSolution:
        """A solution that was saved: `sol.save("motion.npz")`.

        Raises:
            ModelError: as `compile`.
            TrajectoryError: for a file that is no saved motion of this mechanism.
        """
        from .solution import load, method_of  # which knows mechanisms

        return load(self, self.compile(method_of(path)), path)

    def __repr__(self) -> str:
        names = ", ".join(self.components) or "no components"
        return f"<Mechanism {self.name!r}: {names}; {len(self._connections)} connections>"

    def _compiled(self, t: float, stepped: bool) -> Compiled:
        """As `compile`, for a motion that starts at t, s, and for time stepping or not."""
        world = self._world()
        self._refuse_unconnected()
        components, rule = list(self.components.values()), self.impacts
        return compile_components(self.name, world, components, self._connections, t, rule, stepped)

    def _times(self, given: ArrayLike) -> FloatArray:
        """The times (n,) to sample at, of a duration; lists are checked where they are used."""
        wanted = f"{self.name}: wanted a duration above 0 in seconds, or times; got {given!r}"
        try:
            when = np.asarray(given)
        except ValueError:  # lists of different lengths
            raise SimulationError(wanted) from None
        if when.ndim > 0:
            return when
        if not (when.dtype.kind in "iuf" and np.isfinite(when) and when > 0.0):
            raise SimulationError(wanted)
        duration = float(when)
        count = np.ceil(duration * SAMPLES_PER_SECOND) + 1.0
        if not count <= MOST_SAMPLES:
            raise SimulationError(
                f"{self.name}: a duration of {duration:g} s would be {count:.3g} samples, "
                f"{SAMPLES_PER_SECOND:g} for each second; wanted at most {MOST_SAMPLES:g}, which "
                f"is {MOST_SAMPLES / SAMPLES_PER_SECOND:.3g} s; give the times to sample at "
                "instead, such as np.linspace(0, duration, 1000)"
            )
        return np.linspace(0.0, duration, max(2, int(count)))

    def _world(self) -> World:
        worlds = [c for c in self.components.values() if isinstance(c, World)]
        if len(worlds) != 1:
            names = ", ".join(world.label for world in worlds) or "none"
            raise ModelError(f"{self.name}: wanted exactly one World, got {names}")
        return worlds[0]

    def _refuse_unconnected(self) -> None:
        """Raise for a frame that hangs in the air."""
        connected = {frame for connection in self._connections for frame in connection}
        for component in self.components.values():
            lone = [frame.path for frame in component.frames if frame not in connected]
            if not lone or component.needs == "none":
                continue
            if component.needs == "any" and len(lone) < len(component.frames):
                continue
            wanted = "each of its frames" if component.needs == "all" else "one of its frames"
            raise ModelError(
                f"{self.name}: {component.label}: {' and '.join(lone)} "
                f"{'is' if len(lone) == 1 else 'are'} not connected; wanted a connection at "
                f"{wanted}"
            )

    def _refuse_stranger(self, component: Component, what: str) -> None:
        if self.components.get(component.name) is not component:
            names = ", ".join(self.components) or "none"
            raise ModelError(
                f"{self.name}: {what} is not in this mechanism; add its component to it; there "
                f"are: {names}"
            )
