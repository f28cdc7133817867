"""What acts between frames and joints: springs, dampers, given forces and torques.

Each kind of element is computed for all elements of a mechanism at once (`lines`, `turns`,
`wrenches`, and `motors.drives`); the components here give it one row each.
"""
