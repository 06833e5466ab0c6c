# SPDX-License-Identifier: MIT
"""Finds the places of C, C++ and GLSL sources where one small change makes a defect, and draws some.

A change is of an operator, a constant, a condition or a sign, or drops a statement. Comments, strings,
directives of the preprocessor other than constants, assertions and messages stay as they are. So do
calls of free(): a leak is for AddressSanitizer to find."""

import bisect
import dataclasses
import random
import re

TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<string>(?:u8|[LuUR])?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')
  | (?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)
  | (?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[uUlLfF]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<operator><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|.)
    """, re.X | re.S | re.M)
CONSTANT = re.compile(r"(\s*#\s*define\s+(\w+)\s+\(?-?)((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[uUlLfF]*)\)?\s*"
                      r"(?:/\*.*|//.*)?$", re.S)
SWAPPED = {"+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("/",), "<": ("<=", ">"),
           "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="), "==": ("!=",), "!=": ("==",),
           "&&": ("||",), "||": ("&&",), "+=": ("-=",), "-=": ("+=",), "*=": ("/=",), "/=": ("*=",),
           "&": ("|",), "|": ("&",), "<<": (">>",), ">>": ("<<",)}
SWAPPED_NAMES = {"fmin": "fmax", "fmax": "fmin", "fminf": "fmaxf", "fmaxf": "fminf", "min": "max",
                 "max": "min", "floor": "ceil", "ceil": "floor", "floorf": "ceilf", "ceilf": "floorf",
                 "sin": "cos", "cos": "sin", "sinf": "cosf", "cosf": "sinf", "true": "false",
                 "false": "true"}
ASSERTION = {"assert", "static_assert", "_Static_assert", "__attribute__", "layout"}
MESSAGE = re.compile(r"(?:\w*_)?(?:fail|v?s?n?f?printf|fputs|puts|say|notice|print\w*|report\w*|log|label|"
                     r"refuse|explain|error|syntax_error)$")
NO_STATEMENT = {"return", "break", "continue", "goto", "case", "default", "if", "for", "while", "do", "else",
                "switch", "free", "typedef", "using", "delete", "sodium_memzero", "static", "const",
                "struct", "enum", "union", "extern", "inline"}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One change: the text from start to end is replaced. `named` is the constant's name in a #define."""
    file: str
    line: int
    start: int
    end: int
    kind: str
    before: str
    after: str
    named: str = ""

    def apply(self, text):
        # Lines keep their numbers.
        lost = text[self.start:self.end].count("\n") - self.after.count("\n")
        return text[:self.start] + self.after + "\n" * lost + text[self.end:]

    def describe(self):
        before = " ".join(self.before.split())
        before = before if len(before) <= 70 else before[:67] + "..."
        return f"{self.file}:{self.line}: {self.kind}: {before} -> {self.after or 'nothing'}"


class Token:
    def __init__(self, match):
        self.kind, self.text = match.lastgroup, match[0]
        self.start, self.end = match.span()


def tokens_of(text):
    return [Token(match) for match in TOKEN.finditer(text) if not match[0].isspace()]


class Source:
    """The tokens of one file and the changes that they allow."""

    def __init__(self, file, text):
        self.file, self.text = file, text
        self.newlines = [match.start() for match in re.finditer("\n", text)]
        tokens = tokens_of(text)
        self.directives = [token for token in tokens if token.kind == "directive"]
        self.code = [token for token in tokens if token.kind not in ("comment", "directive")]
        self.partner = self.pair()
        self.left_out = self.find_left_out()

    def pair(self):
        """Indices of the brackets that belong together, both ways."""
        partner, stack = {}, []
        for at, token in enumerate(self.code):
            if token.kind != "operator":
                continue
            if token.text in "([{":
                stack.append(at)
            elif token.text in ")]}" and stack:
                begin = stack.pop()
                partner[begin], partner[at] = at, begin
        return partner

    def find_left_out(self):
        """Indices of the tokens in assertions and in calls that write a message."""
        left_out = set()
        for at, token in enumerate(self.code[:-1]):
            if token.kind != "name" or self.code[at + 1].text != "(" or at + 1 not in self.partner:
                continue
            inside = range(at, self.partner[at + 1] + 1)
            if token.text in ASSERTION or (MESSAGE.match(token.text) and any(
                    self.code[i].kind == "string" for i in inside)):
                left_out.update(inside)
        return left_out

    def mutant(self, start, end, kind, after, named=""):
        line = bisect.bisect_left(self.newlines, start) + 1
        return Mutant(self.file, line, start, end, kind, self.text[start:end], after, named)

    def mutants(self):
        found = []
        for token in self.directives:
            constant = CONSTANT.match(token.text)
            if constant:
                start = token.start + constant.start(3)
                found += [self.mutant(start, start + len(constant[3]), "constant", after, constant[2])
                          for after in changed_number(constant[3])]
        depth = round_ones = 0  # brackets that are open
        for at, token in enumerate(self.code):
            depth += {"{": 1, "}": -1}.get(token.text, 0)
            round_ones += {"(": 1, ")": -1}.get(token.text, 0)
            if at in self.left_out:
                continue
            if token.kind == "number":
                found += self.numbers(at)
            elif token.kind == "operator":
                found += self.operators(at)
            elif token.kind == "name":
                found += self.names(at)
            if depth > 0 and round_ones == 0 and (token.text in (";", "{", "}", "else") or self.heads(at)):
                found += self.dropped(at + 1)
        return found

    def heads(self, at):
        """Whether a bracket closes the head of a statement."""
        begin = self.partner.get(at, 0)
        return self.code[at].text == ")" and self.code[begin - 1].text in ("if", "for", "while")

    def numbers(self, at):
        token, before = self.code[at], self.code[at - 1].text if at > 0 else ""
        if before == "[" and self.declares(at - 1):
            return []
        return [self.mutant(token.start, token.end, "constant", after) for after in changed_number(token.text)]

    def declares(self, bracket):
        """Whether a bracket holds the length of a declared array."""
        at = bracket
        while at > 0 and self.code[at - 1].text == "]" and at - 1 in self.partner:
            at = self.partner[at - 1]
        name, kind = self.code[at - 1], self.code[at - 2]
        return name.kind == "name" and (kind.text == "*" or (kind.kind == "name" and kind.text != "return"))

    def operators(self, at):
        token = self.code[at]
        before = self.code[at - 1] if at > 0 else None
        binary = before is not None and (before.kind in ("name", "number") or before.text in (")", "]")) and \
            before.text not in ("return", "case")
        if token.text in ("!", "-") and not binary:
            return [self.mutant(token.start, token.end, "sign" if token.text == "-" else "condition", "")]
        if not binary or token.text not in SWAPPED:
            return []
        if token.text in "*&" and not self.text[token.end].isspace():  # of a declared pointer
            return []
        kind = "condition" if token.text in ("<", "<=", ">", ">=", "==", "!=", "&&", "||") else "operator"
        return [self.mutant(token.start, token.end, kind, after) for after in SWAPPED[token.text]]

    def names(self, at):
        token = self.code[at]
        follows = self.code[at + 1].text if at + 1 < len(self.code) else ""
        if token.text in SWAPPED_NAMES and (follows == "(" or token.text in ("true", "false")):
            return [self.mutant(token.start, token.end, "operator", SWAPPED_NAMES[token.text])]
        if token.text not in ("if", "while") or follows != "(" or at + 1 not in self.partner:
            return []
        start, end = self.code[at + 1].end, self.code[self.partner[at + 1]].start
        condition = self.text[start:end]
        if "//" in condition or any(i in self.left_out for i in range(at + 1, self.partner[at + 1])):
            return []
        changes = [f"!({condition})", "false"] + (["true"] if token.text == "if" else [])
        return [self.mutant(start, end, "condition", after) for after in changes]

    def dropped(self, at):
        """The statement that begins at a token, if it is a call or an assignment."""
        if at >= len(self.code) or at in self.left_out or (
                self.code[at].kind != "name" and self.code[at].text != "*"):
            return []
        end = at
        while end < len(self.code) and self.code[end].text not in (";", "{", "}", ":", "?"):
            end = self.partner[end] + 1 if self.code[end].text in ("(", "[") and end in self.partner else end + 1
        if end >= len(self.code) or self.code[end].text != ";" or self.code[at].text in NO_STATEMENT:
            return []
        second = self.code[at + 1]
        if self.code[at].text == "*" or second.text in ("=", ".", "->", "[", "(", "+=", "-=", "*=", "/=",
                                                        "|=", "&=", "++", "--"):
            if any(i in self.left_out for i in range(at, end)):
                return []
            return [self.mutant(self.code[at].start, self.code[end].start, "dropped", "")]
        return []


def changed_number(text):
    """Other numbers near a number."""
    floating = "." in text or (re.search(r"[eE]", text) and not text.lower().startswith("0x"))
    suffix = re.search(r"[fFuUlL]*$", text)[0] if not text.lower().startswith("0x") or not floating else ""
    digits = text[:len(text) - len(suffix)] if suffix else text
    if text.lower().startswith("0x"):
        suffix = re.search(r"[uUlL]*$", text)[0]
        value = int(text[2:len(text) - len(suffix)], 16)
        return [f"{value ^ 1:#x}{suffix}"]
    if not floating:
        value = int(digits, 8) if len(digits) > 1 and digits[0] == "0" and digits.isdigit() else int(digits)
        step = max(1, round(0.1 * value))
        return [f"{other}{suffix}" for other in ((1,) if value == 0 else (value - step, value + step))]
    value = float(digits)
    if value == 0:
        return [f"1.0{suffix}"]
    changed = (value * factor for factor in (0.5, 0.9, 1.1, 2))
    return [(repr(float(f"{other:.9g}"))) + suffix for other in changed]


def draw(texts, seed):
    """All mutants of {file: text} in an order that the seed gives: lines are drawn evenly, each once,
    and of each line one change."""
    lines = {}
    for file in sorted(texts):
        for mutant in Source(file, texts[file]).mutants():
            lines.setdefault((file, mutant.line), []).append(mutant)
    chance = random.Random(seed)
    order = sorted(lines)
    chance.shuffle(order)
    return [chance.choice(lines[line]) for line in order]
