"""Prints how a TextMate grammar highlights files: for each line of a file, the scope and the text
of each part, and an empty line behind it.

It does what editors do with the parts of such grammars that ours uses: of all rules that may come
next, the one wins that matches first, and of several at one place, the first of the list.
"""

import json
import sys

try:
    # What editors use.
    import onigurumacffi as regex
except ImportError:
    import re as regex


class Grammar:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.rules = json.load(file)
        self.compiled = {}

    def search(self, pattern, line, start):
        if pattern not in self.compiled:
            self.compiled[pattern] = regex.compile(pattern)
        return self.compiled[pattern].search(line, start)

    def flat(self, patterns):
        for rule in patterns:
            if "include" in rule:
                rule = self.rules["repository"][rule["include"].removeprefix("#")]
            if "match" in rule or "begin" in rule:
                yield rule
            else:
                yield from self.flat(rule["patterns"])

    def capture(self, captures, match, line, scopes):
        for number, capture in captures.items():
            start, end = match.start(int(number)), match.end(int(number))
            if start < 0:
                continue
            if "name" in capture:
                scopes[start:end] = [capture["name"]] * (end - start)
            if "patterns" in capture:
                self.walk(capture["patterns"], line[:end], start, scopes)

    def walk(self, patterns, line, position, scopes):
        """Applies patterns to a line. What begins in it ends in it, too."""
        while position <= len(line):
            found = None
            for rule in self.flat(patterns):
                match = self.search(rule.get("match") or rule["begin"], line, position)
                if match and (found is None or match.start() < found[0].start()):
                    found = (match, rule)
            if found is None:
                return
            match, rule = found
            if "name" in rule:
                scopes[match.start() : match.end()] = [rule["name"]] * (match.end() - match.start())
            self.capture(rule.get("captures") or rule.get("beginCaptures", {}), match, line, scopes)
            if "begin" in rule:
                assert rule["end"] == "$", rule
                return self.walk(rule["patterns"], line, match.end(), scopes)
            position = max(match.end(), position + 1)

    def spans(self, line):
        scopes = [""] * len(line)
        self.walk(self.rules["patterns"], line, 0, scopes)
        start = 0
        for end in range(1, len(line) + 1):
            if end == len(line) or scopes[end] != scopes[start]:
                if scopes[start]:
                    yield scopes[start], line[start:end]
                start = end


def main():
    grammar = Grammar(sys.argv[1])
    print(f"regular expressions: {regex.__name__}", file=sys.stderr)
    sys.stdout.reconfigure(encoding="utf-8")
    for path in sys.argv[2:]:
        print("file vmt")
        with open(path, encoding="utf-8", newline="\n") as file:
            text = file.read()
        for line in text.removesuffix("\n").split("\n"):
            for scope, part in grammar.spans(line):
                print(f"{scope}\t{part}")
            print()


main()
