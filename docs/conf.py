"""How Sphinx makes HTML of these pages; run by `python3 scripts/dev.py docs`."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_extensions"))

project = "Dynarig"
copyright = "Dynarig contributors"  # noqa: A001
manifest = (HERE.parent / "blender_manifest.toml").read_text(encoding="utf-8")
version = release = re.findall(r'^version = "(.+)"$', manifest, re.M)[0]

extensions = ["myst_parser", "mathml"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
math_number_all = False
html_math_renderer = "mathml"

root_doc = "index"
exclude_patterns = ["_*", "figures/*.py"]
nitpicky = True

# a theme that comes with Sphinx and loads nothing from the network
html_theme = "alabaster"
html_theme_options = {
    "description": "Robots as rigs that move by their own dynamics",
    "fixed_sidebar": True,
    "page_width": "1180px",
    "sidebar_width": "230px",
    "show_powered_by": False,
}
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}
html_static_path = ["_static"]
html_css_files = ["dynarig.css"]
html_copy_source = html_show_sourcelink = False
html_show_sphinx = False
