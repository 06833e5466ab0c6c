#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""messages_test.py SOURCE: each message of the sources appears in a test, by words that no other has.

A message is a text that is given to one of MAKERS, printed to stderr, or written to one of PLACES. Words
in a row, of twelve letters or more and in no other message, must stand in a text under tests/, where
values stand for its conversions. Those which no test can provoke, each with the reason, are in
tests/messages.supp: the reason in a line of its own that begins with #, below it the beginnings of the
messages that it goes for."""

import pathlib
import re
import sys

MAKERS = {"fail", "status_fail", "session_say", "scene_yaml_fail", "refuse", "refuse_form", "checkpoint_damaged", "blame",
          "says_why", "recording_end", "png_error", "fail_without_context"}
PLACES = {"error", "notice", "message", "why", "reason", "world", "idle", "advice"}
LETTERS = 12
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|#[^\n]*(?:\\\n[^\n]*)*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'|\w+|\S',
                   re.DOTALL)
CONVERSION = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]+)?(?:hh|h|ll|l|z|j|t|L)?[a-zA-Z]")
WHOLE, ANYTHING = r"(?:-?\d{1,20}|%\w+)", r"[^\n]{0,99}?"
ESCAPES = {"n": "\n", "t": "\t"}


def unquoted(token):
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), token[1:-1])


def texts_of(code):
    """The string literals of a C text, adjacent ones joined, each with the calls that it is an argument
    of: their names and first words after the bracket."""
    tokens = [match[0] for match in TOKEN.finditer(code)]
    tokens = [token for token in tokens if not token.startswith(("/*", "//", "#"))] + [""]
    calls, at = [], 0
    while at < len(tokens) - 1:
        if tokens[at] == "(":
            calls.append((tokens[at - 1], tokens[at + 1]))
        elif tokens[at] == ")":
            del calls[-1:]
        elif tokens[at].startswith('"'):
            text = ""
            while tokens[at].startswith(('"', "PRI")):
                text += unquoted(tokens[at]) if tokens[at][0] == '"' else tokens[at][3]
                at += 1
            yield text, list(calls)
            continue
        at += 1


def is_message(text, calls):
    name, first = calls[-1] if calls else ("", "")
    made = (any(call[0] in MAKERS for call in calls) or name in ("snprintf", "number_print") and first in PLACES
            or name in ("fprintf", "number_fprint", "fputs") and first == "stderr")
    return made and " " in text and letters(text) >= 8


def letters(text):
    return len(re.sub("[^A-Za-z]", "", CONVERSION.sub("", text)))


def pattern(words):
    """A pattern that matches the words with values for conversions, text that must be in it, and the most letters
    that a match can have."""
    words = words.replace("%%", "\0")
    pieces = [piece.replace("\0", "%") for piece in CONVERSION.split(words)]
    values = [WHOLE if kind[-1] in "diu" else ANYTHING for kind in CONVERSION.findall(words)] + [""]
    shape = "".join(re.escape(piece) + value for piece, value in zip(pieces, values))
    return re.compile(shape), max(pieces, key=len), len(words) + 100 * len(values)


def appears(text, shape, held, most):
    """Whether a text has the pattern, which is searched for around what it must have: texts are long."""
    at = text.find(held)
    while at >= 0 and not shape.search(text, max(0, at - most), at + most):
        at = text.find(held, at + 1)
    return at >= 0


def own_words(message, messages):
    """Patterns of consecutive words that are in no other message: from each word on, as few as possible;
    or the whole message."""
    yield pattern(message.strip())
    words = [match.span() for match in re.finditer(r"\S+", message)]
    for first, (start, _) in enumerate(words):
        for _, end in words[first:]:
            run = message[start:end]
            if letters(run) < LETTERS:
                continue
            shape, held, most = pattern(run)
            if sum(held in other and shape.search(other) is not None for other in messages) == 1:
                yield shape, held, most
                break


def code_texts(folder):
    for path in sorted(folder.glob("**/*")):
        if path.suffix in (".c", ".h", ".cpp"):
            for text, calls in texts_of(path.read_text()):
                yield path, text, calls


def exempt(source):
    lines = (source / "tests/messages.supp").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def main(source):
    messages = {}
    for path, text, calls in code_texts(source / "src"):
        if is_message(text, calls):
            messages.setdefault(text, path.relative_to(source))
    tests = [text for _, text, _ in code_texts(source / "tests")]
    for path in sorted((source / "tests").glob("**/*")):
        if path.suffix in (".sh", ".py") and path.name != "messages_test.py":
            tests.append(re.sub(r"(?m)^ *#.*", "", path.read_text()))
    said = "\n".join(tests)
    unsaid = {message: path for message, path in messages.items()
              if not any(appears(said, *words) for words in own_words(message, messages))}
    known = exempt(source)
    wrong = 0
    for message, path in unsaid.items():
        if not message.startswith(tuple(known)):
            print(f"FAILED: {path}: no test has the words of {message!r}")
            wrong += 1
    for line in known:
        if not any(message.startswith(line) for message in unsaid):
            print(f"FAILED: tests/messages.supp: a test has it, or it is no message any more: {line!r}")
            wrong += 1
    print(f"{len(messages)} messages, {len(unsaid)} of them in no test, {len(known)} lines of exemptions")
    return wrong != 0 or len(messages) < 300


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
