"""YAML 1.1 of settings: blocks, flows, scalars, anchors, merged mappings. https://yaml.org/spec/1.1/"""

import re


class YAMLError(Exception):
    pass


_TRUTHS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_NOTHING = {"", "~", "null", "Null", "NULL"}
_WHOLE = re.compile(r"[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*)")
_BROKEN = re.compile(r"([-+]?[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)([eE][-+][0-9]+)?")
_ENDLESS = re.compile(r"([-+]?)\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "e": "\x1b"}
_PROPERTY = re.compile(r"([&*!])(\S*)\s*")


def resolved(text, of_numbers=()):
    """What a scalar without quotes stands for; `of_numbers` are pairs of a pattern and a type, tried last."""
    if text in _NOTHING:
        return None
    if text.lower() in _TRUTHS and text in (text.lower(), text.capitalize(), text.upper()):
        return _TRUTHS[text.lower()]
    if _WHOLE.fullmatch(text):
        sign, digits = (-1 if text[0] == "-" else 1), text.lstrip("+-").replace("_", "")
        is_octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
        return sign * int(digits, 8 if is_octal else 0)
    if _BROKEN.fullmatch(text):
        return float(text.replace("_", ""))
    endless = _ENDLESS.fullmatch(text)
    if endless:
        return float((endless[1] or "") + "inf" if endless[2] else "nan")
    kind = next((kind for pattern, kind in of_numbers if pattern.match(text)), str)
    return text if kind is str else kind(text.replace("_", ""))


def documents(text, of_numbers=()):
    found, lines = [], []
    for line in [*text.splitlines(), "---"]:
        if line.startswith(("---", "...")) and not line[3:4].strip():
            if any(_without_comment(one).strip() for one in lines):
                found.append(_Blocks(lines, of_numbers).document())
            lines = [line[3:]] if line[3:].strip() else []
        elif not line.startswith("%"):
            lines.append(line)
    return found


def _without_comment(line):
    quote = None
    for at, letter in enumerate(line):
        if quote:
            quote = None if letter == quote else quote
        elif letter in "'\"" and (at == 0 or line[at - 1] in " ,[{:-"):
            quote = letter
        elif letter == "#" and (at == 0 or line[at - 1] in " \t"):
            return line[:at]
    return line


def _key_end(text):
    """Where the colon after a key is; None: the line has no key."""
    quote, depth = None, 0
    for at, letter in enumerate(text):
        if quote:
            quote = None if letter == quote else quote
        elif letter in "'\"" and at == 0:
            quote = letter
        elif letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        elif letter == ":" and depth == 0 and text[at + 1 : at + 2] in ("", " "):
            return at
    return None


def _merged(pairs):
    made, own = {}, {}
    for key, value in pairs:
        if key == "<<":
            for one in reversed(value if isinstance(value, list) else [value]):
                made.update(one)
        else:
            own[key] = value
    return {**made, **own}


class _Blocks:
    """Reads lines by their indents."""

    def __init__(self, lines, of_numbers):
        self.lines = lines
        self.of_numbers = of_numbers
        self.at = 0
        self.anchors = {}

    def document(self):
        value = self.block(-1)
        if self.upcoming() is not None:
            raise self.error("expected the end of the document")
        return value

    def error(self, what):
        line = self.lines[self.at] if self.at < len(self.lines) else ""
        return YAMLError(f"{what}, found {line.strip()!r} in line {self.at + 1}")

    def upcoming(self):
        """(indent, text) of the next line that says something."""
        while self.at < len(self.lines):
            line = _without_comment(self.lines[self.at]).rstrip()
            text = line.lstrip(" ")
            if text.startswith("\t"):
                raise self.error("expected spaces rather than a tab")
            if text:
                return len(line) - len(text), text
            self.at += 1
        return None

    def block(self, above, same_level_items=False):
        """What is indented by more than `above`; items of a list may stand right at it."""
        line = self.upcoming()
        if line is None:
            return None
        indent, text = line
        is_item = text == "-" or text.startswith("- ")
        if indent < above or (indent == above and not (same_level_items and is_item)):
            return None
        if is_item:
            return self.items(indent)
        if _key_end(text) is not None and text[0] not in "[{":
            return self.mapping(indent)
        self.at += 1
        return self.value(text, above)

    def items(self, indent):
        made = []
        while True:
            line = self.upcoming()
            if line is None or line[0] != indent or not (line[1] + " ").startswith("- "):
                return made
            rest = line[1][1:]
            content = rest.lstrip(" ")
            inner = indent + 1 + len(rest) - len(content)
            is_nested = (content + " ").startswith("- ") or (
                _key_end(content) is not None and content[:1] not in ("[", "{", "&", "*", "!")
            )
            if is_nested:
                self.lines[self.at] = " " * inner + content
                made.append(self.block(indent))
            else:
                self.at += 1
                made.append(self.value(content, indent))

    def mapping(self, indent):
        pairs = []
        while True:
            line = self.upcoming()
            if line is None or line[0] < indent:
                return _merged(pairs)
            end = _key_end(line[1])
            if line[0] > indent or end is None:
                raise self.error("expected a key")
            self.at += 1
            key = _Flow(line[1][:end].strip(), self).scalar("")
            pairs.append((key, self.value(line[1][end + 1 :].strip(), indent, True)))

    def value(self, text, indent, of_key=False):
        if text[:1] == "*":
            return self.anchor(text[1:].strip())
        found = _PROPERTY.match(text) if text[:1] in ("&", "!") else None
        if found and found[1] == "!":
            raise YAMLError(f"tags are not supported, found {text!r} in line {self.at}")
        if found:
            name = found[2]
            self.anchors[name] = self.value(text[found.end() :], indent, of_key)
            return self.anchors[name]
        if text == "":
            return self.block(indent, of_key)
        if re.fullmatch(r"[|>][-+0-9]*", text):
            return self.literal(text, indent)
        if text[0] in "[{'\"":
            return self.flow(text)
        while (line := self.upcoming()) and line[0] > indent and _key_end(line[1]) is None:
            text += " " + line[1]
            self.at += 1
        return resolved(text, self.of_numbers)

    def anchor(self, name):
        if name not in self.anchors:
            raise YAMLError(f"found undefined alias {name!r}")
        return self.anchors[name]

    def flow(self, text):
        while True:
            flow = _Flow(text, self)
            try:
                value = flow.value("")
            except IndexError:
                if self.at >= len(self.lines):
                    raise YAMLError(f"expected the end of {text!r}") from None
                text += " " + _without_comment(self.lines[self.at]).strip()
                self.at += 1
                continue
            if flow.text[flow.at :].strip():
                raise YAMLError(f"expected nothing after {text[: flow.at]!r}, found {text!r}")
            return value

    def literal(self, mark, indent):
        """`|` keeps the ends of lines, `>` folds them; `-` cuts the last ones, `+` keeps them."""
        rows = []
        while self.at < len(self.lines):
            row = self.lines[self.at]
            if row.strip() and len(row) - len(row.lstrip(" ")) <= indent:
                break
            rows.append(row)
            self.at += 1
        cut = min((len(row) - len(row.lstrip(" ")) for row in rows if row.strip()), default=0)
        rows = [row[cut:] for row in rows]
        last = len(rows)
        while last and not rows[last - 1].strip():
            last -= 1
        body = rows[:last]
        text = "\n".join(body) if mark[0] == "|" else _folded(body)
        if "-" in mark or not text:
            return text
        return text + "\n" * (len(rows) - last + 1 if "+" in mark else 1)


def _folded(rows):
    text = rows[0] if rows else ""
    for before, row in zip(rows, rows[1:]):
        is_plain = row and before and not row.startswith(" ") and not before.startswith(" ")
        text += (" " if is_plain else "\n" if not row or row.startswith(" ") else "") + row
    return text


class _Flow:
    """Reads brackets, braces and quotes; beyond the end of the text it raises IndexError."""

    def __init__(self, text, blocks):
        self.text = text
        self.blocks = blocks
        self.at = 0

    def skip(self):
        while self.text[self.at] in " \t\n":
            self.at += 1

    def value(self, ends):
        self.skip()
        letter = self.text[self.at]
        if letter == "[":
            return self.sequence()
        if letter == "{":
            return _merged(self.pairs())
        if letter == "*":
            return self.blocks.anchor(self.plain(ends)[1:])
        return self.scalar(ends)

    def scalar(self, ends):
        if self.text[:1] and self.text[self.at] in "'\"":
            return self.quoted(self.text[self.at])
        return resolved(self.plain(ends), self.blocks.of_numbers)

    def plain(self, ends):
        start = self.at
        if not ends:
            self.at = len(self.text)
        else:
            while self.text[self.at] not in ends and not (
                self.text[self.at] == ":" and self.text[self.at + 1] in " ,]}"
            ):
                self.at += 1
        return self.text[start : self.at].strip()

    def quoted(self, quote):
        self.at += 1
        made = ""
        while True:
            letter = self.text[self.at]
            self.at += 1
            if letter == quote:
                if quote == "'" and self.text[self.at : self.at + 1] == "'":
                    made += "'"
                    self.at += 1
                    continue
                return made
            if letter == "\\" and quote == '"':
                made += self.escaped()
            else:
                made += letter

    def escaped(self):
        letter = self.text[self.at]
        self.at += 1
        width = {"x": 2, "u": 4, "U": 8}.get(letter)
        if width is None:
            return _ESCAPES.get(letter, letter)
        self.at += width
        return chr(int(self.text[self.at - width : self.at], 16))

    def sequence(self):
        made = []
        self.at += 1
        while True:
            self.skip()
            if self.text[self.at] == "]":
                self.at += 1
                return made
            item = self.value(",]")
            self.skip()
            if self.text[self.at] == ":":
                self.at += 1
                item = {item: self.value(",]")}
            made.append(item)
            self.comma("]")

    def pairs(self):
        made = []
        self.at += 1
        while True:
            self.skip()
            if self.text[self.at] == "}":
                self.at += 1
                return made
            key = self.value(",}")
            self.skip()
            value = None
            if self.text[self.at] == ":":
                self.at += 1
                self.skip()
                value = None if self.text[self.at] in ",}" else self.value(",}")
            made.append((key, value))
            self.comma("}")

    def comma(self, end):
        self.skip()
        if self.text[self.at] == ",":
            self.at += 1
        elif self.text[self.at] != end:
            raise YAMLError(f"expected ',' or {end!r} in {self.text!r}")
