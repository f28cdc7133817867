"""The documents as HTML: built without a warning, equations as MathML, nothing from the network."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from devtools.docs import build_docs

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


class Page(HTMLParser):
    """The tags of a page, what it loads, and its text outside of code."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.open: list[str] = []
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.text = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.ids |= {given["id"]} if "id" in given else set()
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag != "a":
            self.loads += [given[name] for name in ("src", "href", "srcset") if name in given]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"code", "pre", "script", "style"} & set(self.open):
            self.text += data


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_docs(tmp_path_factory.mktemp("html") / "docs").parent


@pytest.fixture(scope="module")
def pages(html: Path) -> dict[str, Page]:
    return {path.name: Page(path) for path in sorted(html.glob("*.html"))}


def test_every_document_is_a_page(pages: dict[str, Page], root: Path) -> None:
    assert {f"{path.stem}.html" for path in (root / "docs").glob("*.md")} <= set(pages)


def test_equations_are_mathml(pages: dict[str, Page], root: Path) -> None:
    for source in (root / "docs").glob("*.md"):
        text = re.sub(r"^```.*?^```$", "", source.read_text(encoding="utf-8"), flags=re.M | re.S)
        blocks = len(re.findall(r"^\$\$$", text, re.M)) // 2
        inline = len(re.findall(r"(?<!\$)\$[^$]+\$(?!\$)", text))
        assert pages[f"{source.stem}.html"].tags.count("math") == blocks + inline


def test_no_tex_is_left_over(pages: dict[str, Page]) -> None:
    for page in pages.values():
        assert not re.findall(r"\\[A-Za-z]+|\$", page.text), page.path.name


def test_nothing_is_loaded_from_the_network(html: Path, pages: dict[str, Page]) -> None:
    for page in pages.values():
        assert not [load for load in page.loads if re.match(r"(?:[a-z]+:)?//", load)]
    for sheet in html.rglob("*.css"):
        assert not re.findall(r"(?:@import|url\()[^;)]*//", sheet.read_text(encoding="utf-8"))


def test_links_within_the_pages_lead_somewhere(html: Path, pages: dict[str, Page]) -> None:
    for page in pages.values():
        for link in page.links:
            path, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", link):
                continue
            name = path or page.path.name
            assert (html / name).is_file(), f"{page.path.name}: {link}"
            assert not anchor or anchor in pages[name].ids, f"{page.path.name}: {link}"


def test_every_figure_is_shown(html: Path, pages: dict[str, Page], root: Path) -> None:
    shown = {Path(load).name for page in pages.values() for load in page.loads}
    figures = {path.name for path in (root / "docs" / "figures").glob("*.svg")}
    assert figures and figures <= shown
    assert all((html / "_images" / figure).is_file() for figure in figures)
