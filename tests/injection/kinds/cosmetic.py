"""Changes that mean nothing: names, quotes, spacing, order, messages and marks. Each of them must change nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from tests.injection.copies import Copy, chain_base
from tests.injection.subject import Mutant, Subject, everywhere
from tests.injection.text import Edit, Node, Source
from tests.injection.truth import SAME

_OPEN = ("(", "[", "{", ",", ":", "=", ".", "=>", "&&", "||", "?")


def mutants(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants that change nothing."""
    yield from _names(subject)
    yield from _spacing(subject)
    yield from _quotes(subject)
    yield from _values(subject)
    yield from _marks(subject)
    yield from _order(subject)
    yield from _beside(subject)


def parts(copy: Copy) -> list[Node]:
    """Return the nodes in which the schema stands, none within another."""
    nodes = [copy.events.array, copy.record, copy.matcher.call, *(each.call for each in copy.entries.values())]
    nodes += [copy.union] if copy.union else []
    nodes += [copy.shells.array] if copy.shells else []
    if copy.guards:
        nodes += [
            copy.guards.made,
            *(ask.up("function_declaration", "arrow_function") or ask for ask in copy.guards.asks),
        ]
    outer: list[Node] = []
    for node in sorted(nodes, key=lambda n: (n.source.member, n.span.start, -n.span.end)):
        if not outer or node.source is not outer[-1].source or node.span.start >= outer[-1].span.end:
            outer.append(node)
    return outer


def over(subject: Subject, kind: str, how: str, edits: Callable[[Node], Iterable[Edit]]) -> Iterator[Mutant]:
    """Yield the mutant in which every part of every copy is edited so."""
    yield from everywhere(
        subject, kind, how, lambda c: [e for part in parts(c) for e in edits(part)], SAME, cosmetic=True
    )


def _names(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants in which names of the schema are others, in one module after the other."""
    for new in ("zz$0", "$", "_$", "ÄöZ", "q9Q", "enum$", "zLongerName_ofSomething"):
        for what, name_of in {
            "the list": lambda c: (c.events.array.source, c.events.name),
            "the matcher": lambda c: (c.source, c.matcher_name),
            "the guard set": lambda c: (c.guards.members.array.source, c.guards.name) if c.guards else None,
            "the function of the entries": lambda c: (c.source, c.maker.role("name").text) if c.maker else None,
            "the first entry": lambda c: (
                (c.source, c.entries["command"].bound) if c.entries["command"].bound and not c.maker else None
            ),
            "the maker of objects": lambda c: (c.source, c.words["object"].partition(".")[0]),
        }.items():
            edits: dict[Edit, None] = {}
            for copy in subject.copies:
                place = name_of(copy)
                if place is None or place[1] is None:
                    continue
                if re.search(rb"(?<![\w$])" + re.escape(new.encode()) + rb"(?![\w$])", place[0].text):
                    edits = {}
                    break
                edits |= dict.fromkeys(renamed(place[0], place[1], new))
            if edits and not any(
                name.endswith("cli.js") and len(subject.members[name]) > 1 << 22 and len(edits) > 20000
                for name in subject.members
            ):
                yield Mutant(subject, "cosmetic: names", f"{what} is {new}", tuple(edits), SAME, cosmetic=True)


def renamed(source: Source, name: str, new: str) -> Iterator[Edit]:
    """Yield the edits by which a module calls every variable of a name otherwise, inner ones too."""
    pattern = re.compile(rb"(?<![\w$])" + re.escape(name.encode()) + rb"(?![\w$])")
    for found in pattern.finditer(source.text):
        node = source.node(*found.span())
        if node.span.end - node.span.start != len(name.encode()):
            continue
        match node.type:
            case "identifier":
                parent = node.parent
                if parent is not None and parent.type == "export_specifier":
                    if parent.field("alias") is None:
                        yield node.span.to(f"{new} as {name}")
                    elif parent.role("name").span == node.span:
                        yield node.span.to(new)
                elif parent is not None and parent.type == "import_specifier":
                    if parent.field("alias") is None:
                        yield node.span.to(f"{name} as {new}")
                    elif parent.role("alias").span == node.span:
                        yield node.span.to(new)
                else:
                    yield node.span.to(new)
            case "shorthand_property_identifier" | "shorthand_property_identifier_pattern":
                yield node.span.to(f"{name}:{new}")


def _spacing(subject: Subject) -> Iterator[Mutant]:
    def spaced(with_: str, after: tuple[str, ...], before: tuple[str, ...] = ()) -> Callable[[Node], Iterator[Edit]]:
        def edits(part: Node) -> Iterator[Edit]:
            for leaf in part.leaves:
                inner = leaf.parent
                if inner is not None and inner.type == "template_substitution":
                    continue
                if leaf.text in after:
                    yield leaf.span.after(with_)
                if leaf.text in before:
                    yield leaf.span.before(with_)

        return edits

    for how, made in {
        "a space behind marks": spaced(" ", (",", ":", "(", "[", "{")),
        "a line behind marks": spaced("\n", (",", "(", "[", "{")),
        "a line before dots": spaced("\n  ", (), (".",)),
        "a line behind dots": spaced("\n", (".",)),
        "a tab around marks": spaced("\t", (",", ":"), (")", "]", "}")),
        "a comment behind marks": spaced("/*x*/", (",", "(", "[")),
        "a comment with brackets": spaced("/*)]}\"'*/", (",", "(")),
        "a line comment": spaced("// x ) ' \" `\n", (",", "(")),
        "spaces everywhere": spaced(" ", (",", ":", "(", "[", "{", "."), (")", "]", "}", "(", ".", ",")),
        "a carriage return and line": spaced("\r\n", (",",)),
    }.items():
        yield from over(subject, "cosmetic: spacing", how, made)


def _quotes(subject: Subject) -> Iterator[Mutant]:
    def single(part: Node) -> Iterator[Edit]:
        for leaf in part.leaves:
            text = leaf.text
            if leaf.type == "string" and text.startswith('"') and not re.search(r"['\\]", text):
                yield leaf.span.to(f"'{text[1:-1]}'")

    def template(part: Node) -> Iterator[Edit]:
        for leaf in part.leaves:
            text = leaf.text
            is_key = (
                leaf.parent is not None and leaf.parent.type == "pair" and leaf.parent.role("key").span == leaf.span
            )
            if leaf.type == "string" and not is_key and not re.search(r"[`\\$]", text):
                yield leaf.span.to(f"`{text[1:-1]}`")

    for how, made in {"single": single, "templates": template}.items():
        yield from over(subject, "cosmetic: quotes", how, made)
    for how, make in {"quoted": '"{}"', "single-quoted": "'{}'", "computed": '["{}"]'}.items():

        def keys(part: Node, make: str = make) -> Iterator[Edit]:
            for node in part.walk():
                if node.type == "pair" and node.parent is not None and node.parent.type == "object":
                    key = node.field("key")
                    if key is not None and key.type == "property_identifier":
                        yield key.span.to(make.format(key.text))

        yield from over(subject, "cosmetic: keys", how, keys)


def _values(subject: Subject) -> Iterator[Mutant]:
    def calls(make: Callable[[Node], Edit | None]) -> Callable[[Node], Iterator[Edit]]:
        def edits(part: Node) -> Iterator[Edit]:
            for node in part.walk():
                made = make(node) if node.type == "call_expression" else None
                if made is not None:
                    yield made

        return edits

    def pure(node: Node) -> Edit | None:
        return node.span.before("/* @__PURE__ */ ") if node.role("function").type == "identifier" else None

    def indirect(node: Node) -> Edit | None:
        function = node.field("function")
        assert function is not None
        owner = function.field("object") if function.type == "member_expression" else None
        plain = function.type == "identifier" or (
            owner is not None
            and owner.type == "identifier"
            and function.text.count(".") == 1
            and not node.text.startswith(("JSON", "Object", "Array"))
            and "has(" not in node.text[:40]
        )
        return function.span.to(f"(0,{function.text})") if plain and part_of_schema(node) else None

    def part_of_schema(node: Node) -> bool:
        return node.up("object", "array", "arguments") is not None and node.up("statement_block") is None

    def comma(node: Node) -> Edit | None:
        arguments = node.field("arguments")
        if arguments is None or not arguments.children or arguments.type != "arguments":
            return None
        return arguments.children[-1].span.after(",")

    def parenthesised(node: Node) -> Edit | None:
        parent = node.parent
        return (
            node.span.to(f"({node.text})")
            if parent is not None and parent.type == "pair" and "{" not in node.text
            else None
        )

    for how, make in {
        "pure marks": pure,
        "called indirectly": indirect,
        "trailing commas in calls": comma,
        "brackets around values": parenthesised,
    }.items():
        yield from over(subject, "cosmetic: calls", how, calls(make))

    def trailing(part: Node) -> Iterator[Edit]:
        for node in part.walk():
            if node.type in ("array", "object") and node.children:
                yield node.children[-1].span.after(",")

    yield from over(subject, "cosmetic: calls", "trailing commas in lists", trailing)

    def numbers(to: Callable[[str], str]) -> Callable[[Node], Iterator[Edit]]:
        def edits(part: Node) -> Iterator[Edit]:
            for leaf in part.leaves:
                if (
                    leaf.type == "number"
                    and leaf.text.isdigit()
                    and leaf.text != "0"
                    and leaf.up("statement_block") is None
                ):
                    yield leaf.span.to(to(leaf.text))

        return edits

    for how, to in {
        "hex": lambda t: hex(int(t)),
        "with a fraction": lambda t: f"{t}.0",
        "with an exponent": lambda t: f"{t}e0",
        "unary plus": lambda t: f"+{t}",
    }.items():
        yield from over(subject, "cosmetic: numbers", how, numbers(to))
    yield from everywhere(
        subject,
        "cosmetic: wrappers",
        "the record in brackets",
        lambda c: [c.record.span.to(f"({c.record.text})")],
        SAME,
        cosmetic=True,
    )
    yield from everywhere(
        subject,
        "cosmetic: wrappers",
        "a list in brackets",
        lambda c: [c.events.array.span.to(f"({c.events.array.text})")],
        SAME,
        cosmetic=True,
    )


def _marks(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants in which schemas carry marks and messages that say nothing of what is accepted."""
    for text in (
        ".readonly()",
        '.brand("z")',
        ".brand()",
        '.describe("z")',
        '.meta({title:"z"})',
        ".meta({})",
        ".register(zReg,{})",
    ):
        for where in ("fields", "objects", "union", "matcher", "record", "lists"):

            def change(copy: Copy, text: str = text, where: str = where) -> list[Edit]:
                match where:
                    case "fields":
                        # A mark goes first, before the description that may say `internal`; a brand or readonly goes
                        # last, because no check can follow it.
                        last = text.startswith((".readonly", ".brand"))
                        values = [s.value(k) for s in copy.entries.values() for k in s.pairs if k != "type"]
                        return [(each if last else chain_base(each)).span.after(text) for each in values]
                    case "objects":
                        return [s.call.span.after(text) for s in copy.entries.values()]
                    case "union":
                        return [copy.union.span.after(text)] if copy.union else []
                    case "matcher":
                        return [copy.matcher.call.span.after(text)]
                    case "record":
                        return [copy.record.span.after(text)]
                    case _:
                        return [chain_base(copy.matcher.value("hooks")).span.after(text)]

            if where == "union" and subject.copies[0].union is None:
                continue
            yield from everywhere(subject, "cosmetic: marks", f"{text} on {where}", change, SAME, cosmetic=True)

    def message(make: Callable[[Copy, str, Node], str | None]) -> Callable[[Copy], list[Edit]]:
        def change(copy: Copy) -> list[Edit]:
            edits = []
            for site in copy.entries.values():
                for pair in site.pairs.values():
                    for node in pair.walk():
                        if node.type == "call_expression":
                            arguments = node.field("arguments")
                            function = node.field("function")
                            if arguments is None or function is None or arguments.type != "arguments":
                                continue
                            inner = [each.text for each in arguments.children]
                            made = make(copy, function.text, arguments)
                            if made is not None:
                                edits.append(arguments.span.to(f"({','.join([*inner, made])})"))
            return edits

        return change

    def of_helpers(text: str):
        def make(copy: Copy, callee: str, arguments: Node) -> str | None:
            simple = callee in (copy.words.get("string"), copy.words.get("number"), copy.words.get("boolean"))
            return text if simple and not arguments.children else None

        return make

    def of_checks(text: str):
        def make(copy: Copy, callee: str, arguments: Node) -> str | None:
            name = callee.rpartition(".")[2]
            wanted = {"positive": 0, "min": 1, "url": 0}.get(name)
            return text if wanted == len(arguments.children) and callee.endswith(f".{name}") else None

        return make

    def of_types(text: str):
        return lambda copy, callee, arguments: text if callee == copy.words["literal"] else None

    for how, made in {
        "a message for helpers": of_helpers('"no"'),
        "an options object for helpers": of_helpers('{error:"no"}'),
        "a message object for helpers": of_helpers('{message:"no"}'),
        "a function for helpers": of_helpers('{error:(q)=>"no"}'),
        "required_error": of_helpers('{required_error:"no",invalid_type_error:"no"}'),
        "a message for checks": of_checks('"no"'),
        "a message object for checks": of_checks('{message:"no"}'),
        "an error object for checks": of_checks('{error:"no"}'),
        "void 0 for checks": of_checks("void 0"),
        "a message for literals": of_types('{message:"no"}'),
    }.items():
        yield from everywhere(subject, "cosmetic: messages", how, message(made), SAME, cosmetic=True)
    for how, find, to in (
        ("nonempty beside min(1)", ".min(1)", ".min(1).nonempty()"),
        ("min(1) as nonempty", ".min(1)", ".nonempty()"),
        ("min(0) beside min(1)", ".min(1)", ".min(0).min(1)"),
        ("min(1) twice", ".min(1)", ".min(1).min(1)"),
        ("gt(0) for positive", ".positive()", ".gt(0)"),
        ("gt(0) beside positive", ".positive()", ".positive().gt(0)"),
        ("positive twice", ".positive()", ".positive().positive()"),
        ("gte(0) beside positive", ".positive()", ".nonnegative().positive()"),
        ("optional twice", ".optional()", ".optional().optional()"),
    ):

        def respelt(copy: Copy, find: str = find, to: str = to) -> list[Edit]:
            edits = []
            for site in copy.entries.values():
                for key in site.pairs:
                    value = site.value(key)
                    at = value.text.find(find)
                    if at >= 0 and key != "type":
                        start = value.span.start + len(value.text[:at].encode())
                        edits.append(Edit(value.source.member, start, start + len(find), to))
            return edits

        yield from everywhere(subject, "cosmetic: the same said otherwise", how, respelt, SAME, cosmetic=True)


def _order(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants in which things stand in another order."""

    def turned(nodes: list[Node]) -> list[Edit]:
        return [
            here.span.to(there.text)
            for here, there in zip(nodes, reversed(nodes), strict=True)
            if here.span != there.span
        ]

    def fields(copy: Copy) -> list[Edit]:
        return [e for site in copy.entries.values() for e in turned(site.literal.children)]

    yield from everywhere(
        subject, "cosmetic: order", "events", lambda c: turned(c.events.array.children), SAME, cosmetic=True
    )
    yield from everywhere(subject, "cosmetic: order", "fields", fields, SAME, cosmetic=True)
    yield from everywhere(
        subject, "cosmetic: order", "matcher", lambda c: turned(c.matcher.literal.children), SAME, cosmetic=True
    )
    if subject.copies[0].options is not None:
        yield from everywhere(
            subject,
            "cosmetic: order",
            "types",
            lambda c: turned(c.options.children if c.options else []),
            SAME,
            cosmetic=True,
        )
    if subject.copies[0].shells is not None:
        yield from everywhere(
            subject,
            "cosmetic: order",
            "shells",
            lambda c: turned(c.shells.array.children if c.shells else []),
            SAME,
            cosmetic=True,
        )
    if subject.copies[0].guards is not None:
        yield from everywhere(
            subject,
            "cosmetic: order",
            "guards",
            lambda c: turned(c.guards.members.array.children if c.guards else []),
            SAME,
            cosmetic=True,
        )
    if subject.copies[0].maker is not None:

        def moved(copy: Copy) -> list[Edit]:
            assert copy.maker is not None
            at = Edit(copy.source.member, len(copy.source.text), len(copy.source.text), f";{copy.maker.text}")
            return [copy.maker.span.to(""), at]

        yield from everywhere(
            subject, "cosmetic: order", "the function of the entries, last", moved, SAME, cosmetic=True
        )

        def arrow(copy: Copy) -> list[Edit]:
            assert copy.maker is not None
            name, body = copy.maker.field("name"), copy.maker.field("body")
            assert name is not None
            assert body is not None
            return [copy.maker.span.to(f"var {name.text}=()=>{body.text};")]

        yield from everywhere(
            subject, "cosmetic: functions", "an arrow for the function of the entries", arrow, SAME, cosmetic=True
        )

        def expression(copy: Copy) -> list[Edit]:
            assert copy.maker is not None
            name, body = copy.maker.field("name"), copy.maker.field("body")
            assert name is not None
            assert body is not None
            return [copy.maker.span.to(f"var {name.text}=function(){body.text};")]

        yield from everywhere(
            subject,
            "cosmetic: functions",
            "an expression for the function of the entries",
            expression,
            SAME,
            cosmetic=True,
        )

        def constants(copy: Copy) -> list[Edit]:
            assert copy.maker is not None
            body = copy.maker.field("body")
            assert body is not None
            return [
                Edit(copy.source.member, d.span.start, d.span.start + 3, "var")
                for d in body.children
                if d.type == "lexical_declaration" and d.text.startswith("let")
            ]

        yield from everywhere(subject, "cosmetic: functions", "var for let", constants, SAME, cosmetic=True)


def _beside(subject: Subject) -> Iterator[Mutant]:
    """Yield the mutants in which other things stand beside the schema."""
    for how, text in {
        "another list of events": ';var zL=["PreToolUse","PostToolUse","Stop"];',
        "another set of events": ';var zS=new Set(["PreToolUse","Stop"]);zS.add("Zed");',
        "another list that grows": ';var zL=["PreToolUse"];zL.push("Zed");',
        "a reader of another set": ';var zS=new Set(["Stop"]);function zR(e,t){return zS.has(t)?e:1}',
        "a function with the same inner names": ";function zF(%N%,%M%){return %N%.push(1),%M%.zed(2)}",
        "an object of the same keys": ";var zO={command:1,prompt:2,matcher:3,hooks:[]};",
        "a string that looks like code": ';var zT="%N%.push(1);delete x.shape";',
        "a comment that looks like code": ';/* %N%.push("Zed") */',
        "a template that looks like code": ';var zT=`%N%.push("Zed")`;',
        "a class with the same method names": ";class zC{%N%(){return 1}get %M%(){return 2}}",
        "a property of the same name": ";var zP={};zP.%N%=[1];zP.%M%=2;",
        "a label and a regular expression": ";var zX=/%N%\\.push\\(/;",
    }.items():

        def change(copy: Copy, text: str = text) -> list[Edit]:
            source = copy.source
            filled = text.replace("%N%", copy.events.name or "zz").replace("%M%", copy.matcher_name)
            return [Edit(source.member, len(source.text), len(source.text), filled)]

        yield from everywhere(subject, "cosmetic: beside", how, change, SAME, cosmetic=True)
