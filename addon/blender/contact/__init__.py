"""What a robot touches in a bake: read from the scene before it, told after it."""
