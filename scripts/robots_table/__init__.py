"""What `dev.py robots` finds out about robot files: in Blender, and with pinocchio."""
