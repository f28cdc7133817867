"""What the time-stepping scheme takes for granted, in one place."""

STEP = 0.002  # s, where none is given
TOLERANCE = 1e-6  # m/s: residual of the contact solve that counts as converged
SLOP = 1e-5  # m: bodies so deep in each other are left as they are
CORRECTION = 0.2  # of the depth beyond it is taken back in a step,
CORRECTION_SPEED = 0.5  # m/s, and at this speed at most
RESTING = 2.0  # times the speed that gravity gives in a step: slower meetings do not bounce,
LANDING = 0.5  # of it: what meets faster lands, and has not stood on what it meets
LEAST_BOUNCE = 1e-3  # m/s or rad/s, nor do these
OVERLAP = 1e-3  # m: what floats by itself and starts deeper in a body does not collide with it
TOLD_DEPTH = 1e-4  # m or rad: a start deeper in a body or beyond a limit is told
FASTEST = 1e9  # rad/s or m/s: beyond it a motion runs away
