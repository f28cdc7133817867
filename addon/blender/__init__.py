"""The only place that touches Blender's data: robots in, keyframes out."""
