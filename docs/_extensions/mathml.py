"""Equations as MathML, which browsers set by themselves: no script, no network, no pictures.

The converter is the one that docutils brings along. What it cannot convert is an error of the
build, with the file and the line.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

THIN = '<mspace width="0.1667em"></mspace>'
FUNCTIONS = "sin|cos|tan|cot|sinh|tanh|exp|log|arccos|det"
# What the converter leaves to the browser, and browsers set otherwise than TeX:
POLISH = (
    # an absolute value's bars: no taller than a letter, no space inside
    (r'<mo class="mathopen">([|‖])</mo>', r'<mo form="prefix" stretchy="false">\1</mo>'),
    (r"<mo>([|‖])</mo>", r'<mo form="postfix" stretchy="false">\1</mo>'),
    # a minus after a comma or an equals sign is a sign, not a difference
    (r"(<mo>[,=]</mo>\s*(?:<mspace[^>]*></mspace>\s*)?)<mo>([−±])", r'\1<mo form="prefix">\2'),
    (r'<mo stretchy="false">/</mo>', '<mo stretchy="false" lspace="0" rspace="0">/</mo>'),
    # a thin space between a function's name and what stands beside it, but for brackets
    (r"<mo>&ApplyFunction;</mo>(?=\s*<mo[^>]*>[(\[])", ""),
    (r"<mo>&ApplyFunction;</mo>", THIN),
    (rf"(</(?:mi|mn|mover|msup|msub)>\s*)(?=<mi>(?:{FUNCTIONS})</mi>)", rf"\1{THIN}"),
)


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
        text = str(latex2mathml.tex2mathml(latex, as_block=as_block))
    except (latex2mathml.MathError, IndexError, ValueError, SyntaxError) as error:
        where = f"{node.source}:{node.line}" if node.line else str(node.source)
        raise ExtensionError(f"{where}: no MathML for {latex!r}: {error}") from error
    for pattern, replacement in POLISH:
        text = re.sub(pattern, replacement, text)
    return text
