"""Texts as a person can be shown them: one line, of characters that every output takes."""


def one_line(text: object) -> str:
    r"""The text with every run of blanks and line ends as one blank.

    Bytes of file names that are no UTF-8, which Python keeps as lone surrogates and Blender's
    texts refuse, become escapes such as `\udcff`.
    """
    return " ".join(str(text).split()).encode("utf-8", "backslashreplace").decode("utf-8")
