"""Components that hold an equation: loops, couplings, prescribed motions; planar and in space."""
