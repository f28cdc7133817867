"""What the links of a robot look like: shapes and mesh files as mesh data, and their materials."""
