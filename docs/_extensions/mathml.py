"""Equations as MathML, which browsers set by themselves: no script, no network, no pictures.

The converter is the one that docutils brings along. What it cannot convert is an error of the
build, with the file and the line.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the renderer known to Sphinx; `html_math_renderer = "mathml"` chooses it."""
    app.add_html_math_renderer("mathml", (write_inline, None), (write_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_inline(translator: Any, node: nodes.math) -> None:
    """Write an equation within a line."""
    translator.body.append(mathml(node, as_block=False))
    raise nodes.SkipNode


def write_block(translator: Any, node: nodes.math_block) -> None:
    """Write an equation that stands alone; a wide one scrolls within the page."""
    translator.body.append(f'<div class="equation">{mathml(node, as_block=True)}</div>\n')
    raise nodes.SkipNode


def mathml(node: nodes.Element, as_block: bool) -> str:
    """The MathML of a node's LaTeX."""
    latex = node.astext().strip()
    try:
        return str(latex2mathml.tex2mathml(latex, as_block=as_block))
    except (latex2mathml.MathError, IndexError, ValueError, SyntaxError) as error:
        where = f"{node.source}:{node.line}" if node.line else str(node.source)
        raise ExtensionError(f"{where}: no MathML for {latex!r}: {error}") from error
