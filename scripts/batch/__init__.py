"""The parts of simulate_urdf.py: its command line, the studio, the pictures, the figures."""
