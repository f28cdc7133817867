# SPDX-License-Identifier: GPL-3.0-or-later OR Apache-2.0
"""The headless core: robot files, mechanisms, dynamics and trajectories, in plain numpy.

Everything below this folder may be used under the Apache License 2.0 (LICENSES/Apache-2.0.txt)
as well as under the licence of Dynarig as a whole, GPL 3.0 or later (LICENSE).
"""
