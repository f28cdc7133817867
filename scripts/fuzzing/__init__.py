"""Robot files at random, valid and broken, and the laws that reading and importing them obeys.

Every file follows from a seed and its number alone, so that a fault can be made again.
"""
