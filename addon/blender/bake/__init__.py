"""A bake: simulate a robot from its pose, and write the motion to keyframes."""
