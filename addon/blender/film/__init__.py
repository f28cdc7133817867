"""Moving pictures of a scene: the camera, the studio around it, the look, the rendering."""
