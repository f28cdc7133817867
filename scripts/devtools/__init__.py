"""What dev.py is made of: the set-up, the tests and the build, with the standard library only."""
