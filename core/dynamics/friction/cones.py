"""Contacts with Coulomb friction, and scalar rows with bounds, all at once.

    u = W p + b
    contact:  0 <= p_n  _|_  u_n >= 0,   |p_t| <= mu p_n,   p_t = -mu p_n u_t / |u_t| if u_t != 0
    scalar:   lower <= p <= upper,   u = 0 inside,   u >= 0 at lower,   u <= 0 at upper

With De Saxce's term, v = u + mu |u_t| n, a contact reads K* > v _|_ p > K, K the cone of friction:
no gap opens for sliding, as it would in the convex relaxation that leaves the term out.

Newton's method is tried from the start, which settles a warm start in a step or two; if it does not
settle, proximal points lead to where it does.

Where contacts are redundant, p is one of many with the same u: near the start, and from p = 0 as
symmetric as the problem is.

Source: G. De Saxce, Z.-Q. Feng, The bipotential method: a constructive approach to design the
complete contact law with friction, Math. Comput. Modelling 28 (1998); V. Acary, B. Brogliato,
Numerical Methods for Nonsmooth Dynamical Systems (2008), chapter 13.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray, as_finite, as_floats, frozen
from ...errors import ArgumentError
from .law import Law
from .newton import newton
from .proximal import proximal
from .scaled import Found, Scaled, scaled

TOLERANCE = 1e-10  # of the largest |b|
MOST = 500  # steps
NEWTON = 10  # of them from the start itself
YIELD = 1e-2  # of the mean mobility: what jammed bodies give way by
AS_GOOD = 1.1  # times the least residual
SYMMETRIC = 1e-9  # of the largest entry of W


@dataclass(frozen=True, eq=False)
class ConeAnswer:
    """What `solve_cones` found.

    Attributes:
        impulses: p (m,), within their bounds and cones.
        residual: in units of u, see `solve_cones`.
        iterations: steps of both methods; 0 where the start will do.
        converged: whether the residual is within the tolerance.
    """

    impulses: FloatArray
    residual: float
    iterations: int
    converged: bool


def solve_cones(
    w: ArrayLike,
    b: ArrayLike,
    friction: ArrayLike,
    lower: ArrayLike = (),
    upper: ArrayLike = (),
    start: ArrayLike | None = None,
    *,
    tolerance: float = TOLERANCE,
    most: int = MOST,
) -> ConeAnswer:
    """Impulses p (m,) of k contacts (normal, tangent, tangent) and then r scalar rows.

    The residual is the largest entry of

        d (p - P(p - u / d)),    d = mean of the contact's three W_ii, or the row's own,

    P of `law`: min(u_n, d p_n) of a contact that presses or parts, and likewise for the others. It
    is 0 where the law holds and has the units of u. What rounding hides of it is added.

    Args:
        w: W (m, m), symmetric, positive semidefinite, of any rank; m = 3 k + r.
        b: (m,), m/s: u without the impulses.
        friction: mu (k,), >= 0.
        lower, upper: (r,), N s; may be infinite.
        start: p (m,) to start from, say that of the step before; 0 if none.
        tolerance: of the residual, in units of the largest |b|.
        most: steps of both methods together.

    Returns:
        The best p met; where the problem has no solution a small one that is about as good.

    Raises:
        ArgumentError: for shapes that do not fit, no finite number, friction below 0, bounds that
            cross, W not symmetric.
    """
    matrix, vector, law, first = _checked(w, b, friction, lower, upper, start)
    enough = tolerance * float(np.abs(vector).max(initial=0.0))
    answer = cone_answer(matrix, vector, law, first, enough, most)
    frozen(answer.impulses)
    return answer


def cone_answer(
    w: FloatArray, b: FloatArray, law: Law, start: FloatArray, enough: float, most: int = MOST
) -> ConeAnswer:
    """`solve_cones` of arguments that are known to be right, with a tolerance in m/s."""
    problem = scaled(w, b, law)
    guess = start * problem.unit
    best = newton(problem, guess, enough, min(NEWTON, most))
    steps = best.steps
    if best.residual > enough and steps < most:
        found = proximal(problem, guess, enough, most - steps)
        steps += found.steps
        best = found if found.residual < best.residual else best
    if best.residual > enough and steps < most:
        best = _least(problem, best, enough)
    # the unit's rounding may have left the bounds
    impulses = law.project(best.point / problem.unit).onto
    return ConeAnswer(impulses, best.residual, steps, best.residual <= enough)


def _least(problem: Scaled, best: Found, enough: float) -> Found:
    """An answer as good that presses less, where there is one.

    Where bodies are jammed, so that no impulses do what is asked for, ever larger ones come ever
    nearer to it. With u + YIELD p in the place of u they stay small.
    """
    soft = newton(problem.pulled(YIELD, 0.0 * best.point), 0.0 * best.point, enough, NEWTON)
    own = problem.stay(soft.point).residual
    return best if own > AS_GOOD * best.residual else Found(soft.point, own, best.steps)


def _checked(
    w: ArrayLike,
    b: ArrayLike,
    friction: ArrayLike,
    lower: ArrayLike,
    upper: ArrayLike,
    start: ArrayLike | None,
) -> tuple[FloatArray, FloatArray, Law, FloatArray]:
    """W, b, the law, and p to start from."""
    vector = as_finite(b, (np.size(b),), "b")
    m = len(vector)
    matrix = as_finite(w, (m, m), "w")
    mu = as_finite(friction, (np.size(friction),), "friction")
    low = as_floats(lower, (np.size(lower),), "lower", ArgumentError)
    high = as_floats(upper, (np.size(upper),), "upper", ArgumentError)
    k, r = len(mu), len(low)
    if m != 3 * k + r or len(high) != r:
        raise ArgumentError(
            f"cones: wanted 3 rows of each contact and 1 of each bound, got {m} rows, "
            f"{k} contacts, {r} lower and {len(high)} upper bounds"
        )
    if (mu < 0.0).any():
        raise ArgumentError(f"friction: wanted numbers >= 0, got {mu.min()}")
    if not (low <= high).all() or (low == np.inf).any() or (high == -np.inf).any():
        raise ArgumentError(f"bounds: wanted lower <= upper, got {low} and {high}")
    largest = float(np.abs(matrix).max(initial=0.0))
    if np.abs(matrix - matrix.T).max(initial=0.0) > SYMMETRIC * largest:
        raise ArgumentError("w: wanted a symmetric matrix")
    first = np.zeros(m) if start is None else as_finite(start, (m,), "start")
    return matrix, vector, Law.of(mu, low, high), first
