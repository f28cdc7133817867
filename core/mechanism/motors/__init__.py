"""Motors on the coordinates of joints: torques, servos, prescribed motions."""
