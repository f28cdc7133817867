"""Proximal points: from any start to where Newton's method settles the whole problem.

    p_j+1 obeys the law with   u = W p + b + e (p - p_j)

A large e makes a problem of well-conditioned, nearly separate contacts, which Newton's method
settles in a step or two from p_j; each that it settles makes e less, each that it does not, more.
e -> 0 is the problem itself, and the fixed points of all e > 0 are its solutions.

Source: R. T. Rockafellar, Monotone operators and the proximal point algorithm, SIAM J. Control
Optim. 14 (1976) 877-898; V. Acary, M. Bremond, O. Huber, On solving contact problems with Coulomb
friction (2018), for its use with friction.
"""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray
from .newton import newton
from .scaled import Found, Scaled

FIRST = 0.1  # e, of the mean mobility 1
LEAST, LARGEST = 1e-9, 100.0  # e
EASED, STIFFENED = 0.2, 4.0  # e where Newton's method has settled it, and where it has not
SETTLED = 0.3  # of the residual before; less costs more steps than it saves
TRIES = 10  # steps of Newton's method for one e
HOPELESS = 150  # steps in which the residual has not fallen by a tenth
FAR = 1e7  # times the first velocity: impulses this large push against each other for nothing


def proximal(problem: Scaled, start: FloatArray, enough: float, most: int) -> Found:
    """The best point met within `most` steps from p' (m,), residual <= `enough` ending them."""
    centre = problem.law.project(start).onto
    residual = problem.stay(centre).residual
    best, mark, since = Found(centre, residual, 0), residual, 0
    weight, steps = FIRST, 0
    far = FAR * (_largest(problem.vector) + _largest(centre))
    while best.residual > enough and steps < most and steps - since < HOPELESS:
        target = max(SETTLED * residual, 0.1 * enough)
        tries = min(TRIES, most - steps)
        inner = newton(problem.pulled(weight, centre), centre, target, tries)
        steps += max(inner.steps, 1)
        own = problem.stay(inner.point).residual
        if own < best.residual:
            best = Found(inner.point, own, steps)
        if own < 0.9 * mark:
            mark, since = own, steps
        if inner.residual <= target:
            centre, residual, weight = inner.point, own, max(EASED * weight, LEAST)
            if _largest(centre) > far:
                break
        else:
            weight = min(STIFFENED * weight, LARGEST)
    return Found(best.point, best.residual, steps)


def _largest(vector: FloatArray) -> float:
    return float(np.abs(vector).max(initial=0.0))
