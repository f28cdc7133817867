"""A mechanism ready to run: the tree, its model and system, and every variable by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..arrays import FloatArray
from ..dynamics import Model, System
from ..dynamics.constraints.assembly import assemble_positions
from ..dynamics.contact import Resting
from ..dynamics.quantities import integrate_q
from ..errors import DynarigError
from ..tree import Tree
from .angles import Angle
from .assembly import Assembly
from .balance import Balance
from .component import JointEdge, Output, RigidEdge, Space
from .contacts.touching_pairs import TouchingPairs
from .cut_joints import CutJoint
from .places import Places

BESIDE = 0.1  # rad and m, by which coordinates are moved at most to see rows beside the start


@dataclass(frozen=True, eq=False, repr=False)
class Compiled:
    """What `Mechanism.compile` makes.

    Attributes:
        name, space: of the mechanism.
        tree, model, system: a body of the tree for all that stands still against each other.
        assembly, places: where nodes, frames and joints went.
        loops: for each closed loop the names of the components around it, the closing one last.
        cut_joints: those that close a loop and have no coordinates in the tree.
        balance: how wrenches reach frames.
        angles: of the nodes of a planar mechanism.
        outputs: every variable, by its full name such as 'rod.frame_b.x'.
        q (nq,), v (nv,): initial state, with all constraints met; as it was given where they
            cannot be, which `failure` tells.
        t: when the motion starts, s.
        acting: the system with the constraints that act at the start.
        notice: what constraints have moved against what was given; None where nothing.
        failure: why the loops cannot close, which a simulation raises; None where they do.
        only_stepped: why exact impacts cannot take a contact, which they raise; None where they
            can, and of a mechanism that is compiled for time stepping.
        touching: what may touch in time stepping; nothing where compiled for exact impacts.
    """

    name: str
    space: Space
    tree: Tree
    model: Model
    system: System
    assembly: Assembly
    places: Places
    loops: tuple[tuple[str, ...], ...]
    cut_joints: Mapping[JointEdge, CutJoint]
    balance: Balance
    angles: Mapping[int, Angle]
    outputs: Mapping[str, Output]
    q: FloatArray
    v: FloatArray
    t: float
    acting: System
    notice: str | None
    failure: DynarigError | None
    only_stepped: str | None = None
    touching: TouchingPairs = field(default_factory=TouchingPairs)

    @cached_property
    def independent(self) -> int:
        """How many of the rows of constraints are independent of each other at the start."""
        rows = self.acting.rows
        if rows is None or self.failure is not None:
            return 0 if rows is None else len(rows)
        try:
            return rows.independent(self.acting.moment(self.t, self.q, self.v)).shape[1]
        except np.linalg.LinAlgError:  # a mass matrix that a simulation refuses
            return len(rows)

    @property
    def redundant(self) -> int:
        """How many rows of constraints follow from the others at the start."""
        return (0 if self.acting.rows is None else len(self.acting.rows)) - self.independent

    @cached_property
    def folded(self) -> int:
        """How many rows are redundant at the start only, and not a little beside it.

        So it is where bars lie in a line: a singular configuration, where motions cross.
        """
        projection = self.acting.projection
        if projection is None or not self.redundant:
            return 0
        rows, model = projection.rows, self.model
        rng = np.random.default_rng(0)
        aside = BESIDE * rng.choice((-1.0, 1.0), model.nv) * rng.uniform(0.5, 1.0, model.nv)
        try:
            near = integrate_q(model, self.q, aside, 1.0)
            q = assemble_positions(projection, self.t, near, self.v)
            found = rows.independent(self.acting.moment(self.t, q, self.v)).shape[1]
        except (DynarigError, np.linalg.LinAlgError):
            return 0
        return max(found - self.independent, 0)

    @property
    def freedom(self) -> int:
        """Degrees of freedom that constraints and prescribed motions leave, at the start."""
        return self.model.nv - self.independent - len(self.system.prescribed)

    @property
    def report(self) -> str:
        """What there is to know of loops, in lines: where each is cut, and the rows it gives."""
        rows = self.acting.rows
        lines = [repr(self)[1:-1]]
        for cut in self.assembly.graph.cuts:
            told = f"loop {' - '.join(cut.around)}: "
            if isinstance(cut.edge, RigidEdge):
                lines.append(f"{told}nothing in it moves, '{cut.around[-1]}' carries nothing")
                continue
            name = cut.edge.joint.name
            how = "cut at" if cut.share is None else "all joints carry something; shared beyond"
            count = 0 if rows is None else len(rows.where[name])
            lines.append(f"{told}{how} '{name}', {count} rows")
        others = [
            own
            for own in self.acting.constraints
            if own.name not in self._joints and not isinstance(own, Resting)
        ]
        for own in others:
            count = 0 if rows is None or not own.active else len(rows.where[own.name])
            lines.append(f"{own.label}: {count} rows" if own.active else f"{own.label}: inactive")
        if self.folded:
            lines.append(
                f"redundant at this start alone: {self.folded} rows, a singular configuration such "
                "as bars in a line; give an initial angle a little beside it, or velocities that "
                "say which motion is meant"
            )
        return "\n".join(lines)

    @property
    def _joints(self) -> set[str]:
        """The names of joints that close loops."""
        edges = self.assembly.graph.closing
        return {edge.joint.name for edge in edges if isinstance(edge, JointEdge)}

    def __repr__(self) -> str:
        rows = self.acting.rows
        loops = f", {len(self.loops)} closed loops" if self.loops else ""
        if rows is not None:
            redundant = f" ({self.redundant} redundant)" if self.redundant else ""
            redundant = redundant if self.failure is None else " that cannot be met"
            loops += f", {len(rows)} constraint rows{redundant} on {self.model.nv} coordinates"
        freedom = self.model.nv - self.independent
        return (
            f"<Compiled {self.space} mechanism {self.name!r}: {len(self.tree.bodies)} bodies, "
            f"{len(self.tree.joints)} joints, {freedom} degrees of freedom{loops}>"
        )
