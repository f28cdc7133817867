"""xacro files that run away or reach out, and that one expansion leaves nothing for the next."""

import sys
from xml.dom import minidom

import pytest
from dynarig.core.urdf import load_urdf
from dynarig.core.urdf.expansion import limits

from .xacro_case import error_of, names, write

LINK = '<link name="a"/>'
# a list of two lists of two lists ..., forty deep
FORTY = "(lambda f: f(f,40,[1]))(lambda f,n,x: f(f,n-1,[x,x]) if n else x)"
DEEP = "(lambda f: f(f,150,[1]))(lambda f,n,x: f(f,n-1,[x]) if n else x)"
NESTED_FOR = " for a in [[a,a]]" * 18
# lists that hold each other, and the innermost made longer afterwards
GROWING_FOR = (
    " for z in [a]"
    + " for a in [[a,a]]" * 8
    + " for b in [z[:]]"
    + " for b in [[b,b,b,b]]" * 6
    + " for d in [z.append(b)]"
)


def doubled(first, other):
    """Properties p0 … p44, each made of two of the one before."""
    more = "".join(
        f'<xacro:property name="p{i}" value="{other.format(f"p{i - 1}")}"/>' for i in range(1, 45)
    )
    return f'<xacro:property name="p0" value="{first}"/>{more}<link name="${{p44}}"/>'


def doubled_macros():
    more = "".join(
        f'<xacro:macro name="m{i}" params=""><xacro:m{i - 1}/><xacro:m{i - 1}/></xacro:macro>'
        for i in range(1, 45)
    )
    return f'<xacro:macro name="m0" params="">{LINK}</xacro:macro>{more}<xacro:m44/>'


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ('<xacro:macro name="m" params=""><xacro:m/></xacro:macro><xacro:m/>', "without end"),
        (
            '<xacro:macro name="m" params=""><xacro:if value="1"><xacro:k/></xacro:if>'
            "</xacro:macro>"
            '<xacro:macro name="k" params=""><a><xacro:m/></a></xacro:macro><xacro:m/>',
            "without end",
        ),
        (doubled_macros(), "more than 1 s"),
        (doubled("ab", "${{{0}}}${{{0}}}"), "characters"),
        (doubled("${[1]}", "${{{0} + {0}}}"), "items"),
        (doubled("${[1]}", "${{[{0}, {0}]}}"), "items"),
        ('<link name="${10**10**8}"/>', "bits"),
        ('<link name="${1 &lt;&lt; 10**9}"/>', "bits"),
        ("<link name=\"${'a' * 10**10}\"/>", "characters"),
        ('<link name="${[0] * 10**9}"/>', "items"),
        ('<link name="${list(python.range(10**9))}"/>', "items"),
        ('<link name="${python.sum(python.range(10**12))}"/>', "items"),
        ("<link name=\"${'a'.ljust(10**10)}\"/>", "characters"),
        ("<link name=\"${'%1000000000d' % 1}\"/>", "width"),
        ("<link name=\"${'%(a)1000000000d' % dict(a=1)}\"/>", "width"),
        ('<link name="${round(5, -10**9)}"/>', "round()"),
        ('<link name="${math.factorial(10**8)}"/>', "factorial()"),
        ('<link name="${math.prod([10**999] * 10**5)}"/>', "bits"),
        ('<link name="${1 .to_bytes(10**10)}"/>', "to_bytes"),
        ('<link name="$(eval 10**10**8)"/>', "bits"),
        ('<link name="${(lambda f: f(f))(lambda f: f(f))}"/>', "without end"),
        ('<link name="${len([1 for a in 10**4 * [1] for b in 10**6 * [1]])}"/>', "more than 1 s"),
        # shared lists: small to make, without end to go through
        (f'<link name="${{({FORTY} == {FORTY})}}"/>', "items"),
        (f'<link name="${{str({FORTY})}}"/>', "items"),
        (f"<link name=\"${{'%s' % {FORTY}}}\"/>", "items"),
        (f'<link name="${{{FORTY.replace("[x,x]", "(x,x)")} in [1]}}"/>', "items"),
        (f'<link name="${{{FORTY.replace("[x,x]", "python.dict(a=x,b=x)")} == 1}}"/>', "items"),
        (f'<link name="${{{FORTY.replace("[x,x]", "list(python.zip(x,x))")} == 1}}"/>', "items"),
        (f'<link name="${{[1 for a in [[1]]{NESTED_FOR} if a == 1]}}"/>', "items"),
        (f'<link name="${{[1 for a in [[1]]{GROWING_FOR} if a == 1]}}"/>', "items"),
        (
            '<link name="${[1 for a in [[]] for i in 9*[a] if a.append(a) or a &lt; a[:]]}"/>',
            "deep",
        ),
        (f'<link name="${{{DEEP} == 1}}"/>', "deep"),
    ],
)
def test_what_would_not_end_is_an_error(tmp_path, monkeypatch, body, word):
    monkeypatch.setattr(limits, "SECONDS", 1.0)
    message = error_of(write(tmp_path / "r.xacro", body))
    assert word in message.partition(" when evaluating ")[0]
    assert "r.xacro:2: <" in message


@pytest.mark.parametrize(
    "expression",
    [
        "().__class__",
        "[].append.__self__",
        "(lambda: 0).__globals__",
        "(lambda: 0).func_globals",
        "(x for x in [1]).gi_frame",
        "str.mro()",
        "xacro.load_yaml.im_func",
        "python.vars(python)",
        "python.type(python.type(1))",
        "python.type('X', (), dict())",
        "open('/etc/passwd')",
        "getattr(1, 'real')",
        "eval('1')",
        "exec('1')",
        "globals()",
        "__import__('os')",
        "[0 for x.real in [1]]",
        "(a := 1)",
        "'%s'.format(1)",
        "map(lambda x: x.__class__, [1])",
    ],
)
@pytest.mark.parametrize("form", ["${{{0}}}", "$(eval {0})"])
def test_expressions_reach_nothing_but_data(tmp_path, expression, form):
    message = error_of(write(tmp_path / "r.xacro", f'<link name="{form.format(expression)}"/>'))
    assert "r.xacro:2: <link" in message


def test_a_unit_in_yaml_is_an_expression_like_any_other(tmp_path):
    (tmp_path / "a.yaml").write_text('x: !degrees "().__class__"\ny: !radians \'f"{1}"\'\n')
    body = '<xacro:property name="c" value="${xacro.load_yaml(\'a.yaml\')}"/>'
    assert "__class__" in error_of(write(tmp_path / "r.xacro", f'{body}<link name="${{c.y}}"/>'))


def test_parameters_cannot_stand_in_for_the_guards(tmp_path):
    body = """<xacro:macro name="m" params="attribute guarded __builtins__">
<link name="${10 ** 10 ** 8}"/></xacro:macro>
<xacro:m attribute="" guarded="" __builtins__=""/>"""
    assert "bits" in error_of(write(tmp_path / "r.xacro", body))


def test_two_expansions_are_independent(tmp_path):
    body = '<xacro:arg name="n" default="a"/><xacro:property name="p" value="1"/>'
    body += '<xacro:macro name="m" params=""><link name="$(arg n)"/></xacro:macro><xacro:m/>'
    first = write(tmp_path / "1.xacro", body)
    assert names(load_urdf(first, (), {"n": "b"})) == ["b"]
    assert names(load_urdf(first)) == ["a"]
    assert "unknown macro" in error_of(write(tmp_path / "2.xacro", "<xacro:m/>"))
    assert "'p' is not defined" in error_of(write(tmp_path / "3.xacro", '<link name="${p}"/>'))
    assert "'n' is not declared" in error_of(write(tmp_path / "4.xacro", '<link name="$(arg n)"/>'))


@pytest.mark.parametrize("included", [False, True])
def test_a_file_that_is_too_large(tmp_path, monkeypatch, included):
    monkeypatch.setattr(limits, "FILE", 400)
    file = write(tmp_path / "b.xacro", LINK + "<!-- long -->" * 50)
    top = write(tmp_path / "r.xacro", '<xacro:include filename="b.xacro"/>') if included else file
    assert error_of(top).startswith(f"{file}: has 0.0 MB; wanted at most")


def test_the_mapping_that_was_given_stays_as_it_is(tmp_path):
    given = {"n": "b"}
    body = '<xacro:arg name="n" default="a"/><xacro:arg name="m" default="1"/><link name="a"/>'
    load_urdf(write(tmp_path / "r.xacro", body), (), given)
    assert given == {"n": "b"}


@pytest.mark.parametrize("body", [LINK, "<xacro:nothing/>"])
def test_python_is_left_as_it_was(tmp_path, body, capsys):
    file = write(tmp_path / "r.xacro", body)
    modules, limit, writer = set(sys.modules), sys.getrecursionlimit(), minidom.Element.writexml
    yaml = __import__("yaml")
    constructors = dict(yaml.SafeLoader.yaml_constructors)
    if body == LINK:
        load_urdf(file)
    else:
        error_of(file)
    assert not [name for name in set(sys.modules) - modules if "xacro" in name]
    assert sys.getrecursionlimit() == limit
    assert minidom.Element.writexml is writer
    assert yaml.SafeLoader.yaml_constructors == constructors
    assert capsys.readouterr() == ("", "")


def test_a_loop_by_a_macro_may_go_two_hundred_deep(tmp_path):
    body = """<xacro:macro name="chain" params="n"><xacro:if value="${n &gt; 0}">
<link name="l${n}"/><joint name="j${n}" type="fixed">
<parent link="l${n - 1}"/><child link="l${n}"/></joint>
<xacro:chain n="${n - 1}"/></xacro:if></xacro:macro>
<link name="l0"/><xacro:chain n="200"/>"""
    assert len(load_urdf(write(tmp_path / "r.xacro", body)).links) == 201


def test_nested_lists_of_honest_files_stay(tmp_path):
    body = """<xacro:property name="rows" value="${[[i * j for i in python.range(30)]
for j in python.range(30)]}"/><xacro:property name="sum"
value="${python.sum(python.sum(r) for r in rows)}"/>
<link name="${rows == [list(r) for r in rows]}_${sum}_${sorted(rows)[-1][-1]}_${len(rows[1:])}"/>"""
    robot = load_urdf(write(tmp_path / "r.xacro", body))
    assert names(robot) == ["True_189225_841_29"]


def test_a_busy_computer_alone_breaks_no_file(tmp_path, monkeypatch):
    file = write(tmp_path / "r.xacro", '<link name="${python.sum(100 * [1])}"/>')
    monkeypatch.setattr(limits, "WAITED", -1.0)
    assert names(load_urdf(file)) == ["100"]
    monkeypatch.setattr(limits, "HONEST", -1.0)  # as if it had computed for long, too
    assert "more than" in error_of(file)


def test_wildcards_look_at_a_bounded_number_of_entries(tmp_path, monkeypatch):
    for folder in "abc":
        for name in "def":
            write(tmp_path / folder / name / "x.xacro", f'<link name="{folder}{name}"/>')
    (tmp_path / ".g" / "h").mkdir(parents=True)
    top = write(tmp_path / "r.xacro", '<xacro:include filename="*/*/*.xacro"/>')
    monkeypatch.setattr(limits, "MOST_ENTRIES", 10)
    assert "wildcards look at more than 10" in error_of(top)
