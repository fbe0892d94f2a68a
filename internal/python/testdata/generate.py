"""Writes more_numbers.jsonl and more_literals.jsonl, in the format of python_numbers.jsonl and python_literals.jsonl.

Run with CPython 3.11 in this folder. The tests read only its output. `repr` is that of the whole value; it and `str` are
null where a set of several members makes them depend on the order of hashes.
"""

import ast
import json
import warnings

warnings.simplefilter("ignore")


def number(text):
    trimmed = text.strip()
    row = {"in": text}
    for name, read in (("int", int), ("float", float)):
        try:
            value = read(trimmed)
            row[name] = {"ok": True, "value": str(value) if name == "int" else repr(value)}
        except ValueError:
            row[name] = {"ok": False}
    word = trimmed.lower()
    row["bool"] = {"ok": True, "value": word in ("true", "1")} if word in ("true", "false", "0", "1") else {"ok": False}
    return row


def tagged(v):
    if v is None or isinstance(v, (bool, str)):
        return v
    if v is ...:
        return {"$ellipsis": True}
    if isinstance(v, int):
        return {"$int": str(v)}
    if isinstance(v, float):
        return {"$float": repr(v)}
    if isinstance(v, complex):
        return {"$complex": repr(v)}
    if isinstance(v, bytes):
        return {"$bytes": v.hex()}
    if isinstance(v, list):
        return [tagged(x) for x in v]
    if isinstance(v, tuple):
        return {"$tuple": [tagged(x) for x in v]}
    if isinstance(v, set):
        return {"$set": [tagged(x) for x in v]}
    return {"$dict": [[tagged(k), tagged(x)] for k, x in v.items()]}


def unordered(v):
    if isinstance(v, set):
        return len(v) > 1
    if isinstance(v, dict):
        return any(unordered(x) for x in v.values())
    return isinstance(v, (list, tuple)) and any(unordered(x) for x in v)


def literal(text):
    row = {"in": text}
    try:
        value = ast.literal_eval(text)
        row.update(ok=True, is_list=isinstance(value, list), value=tagged(value))
        texts = not unordered(value)
        row["str"] = [str(x) for x in value] if texts and isinstance(value, list) else None
        row["repr"] = repr(value) if texts else None
    except (SyntaxError, ValueError, TypeError, OverflowError, RecursionError, MemoryError) as e:
        row.update(ok=False, error=type(e).__name__)
    return row


NUMBERS = [
    "-0", "+0", "-00", "-007", "+7", "0_0", "-1_0", "1_0_0", "_", "-_1", "1-", "- 1", "1 2", "\u20035\u3000", "\u180e5",
    "\u20115", "\x1c5", "5\x85", "\u06f0\u06f9", "-\u0967\u0968", "\u0661_\u0662", "1\u0662", "\U0001d7d8\U0001d7e1",
    "\uff0b5", "\u22125", "\u0661.\u0665e\u0662", "\u2155", "\u4e00", "\u2460", "\x7f5", "\ufffd", "0x1p-2", "0x.8p1",
    "1p3", "1e+", "1e-", "1e_5", "1_e5", "1_.5", "._5", ".", "-.", "..5", "1..", "1.2.3", "1e5e5", "+.5e-3", "5.e3", ".e3",
    "infinity", "+inf", "-Inf", "+nan", "-NAN", "nan(1)", "nan1", "in_f", "\u0131nf", "inf inity", "1_000.000_1e1_0", "0e5",
    "-0.0", "-0e400", "0e99999999999999999999", "1e99999999999999999999", "1e-99999999999999999999", "1e16", "1e15",
    "123456789012345680.0", "0.0001", "0.00001", "9999999999999998", "9999999999999999", "2.5e-323", "5e-324",
    "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308", "1.7976931348623158e308",
    "1.79769313486231580793e308", "0." + "0" * 400 + "1e401", "1" + "0" * 400 + "e-400", "9007199254740993.0", "0.1" + "0" * 30 + "1",
    "0." + "0" * 12000 + "1e12001", "1" + "0" * 12000 + "e-12000", "9" * 4300, "-" + "9" * 4300, "9" * 4301, "0" * 4300,
    "0" * 4301, "_".join("9" * 4300), "1_" * 4300 + "1", "TRUE", "False ", "\ttRuE\n", "\u00a0false", "fal\u017fe", "00", "-0 ", "+1",
    "01", "1.0", "yes", "on", "t", "\uff54rue", "true\x00",
]

LITERALS = [
    # Lines, blanks, comments.
    "['a']\n  ", "['a']\n  \n", "['a']\n\t# x", "['a']\n\f", "['a']\\\n", "['a']\\\n ", "['a']\n\\\n\n", "['a']\n\\\n ", "\\\n['a']",
    "\\\n ['a']", "\f['a']", "\f ['a']", " \f['a']", "\n ['a']", "  # c\n['a']", "\\\n\n['a']", "\ufeff['a']", "['a'] # c",
    "['a']\n# c\n\n", "['a'] \\\n # c", "['a']\r", "['a'] x", "['a']\n'b'", "['a\\\r\nb']", "['''a\rb''']", "['''a\r\r\nb''']", "'a'\n'b'",
    "'a'\\\n'b'", "('a'\n'b')", "[1\\\n]", "[1,\\\n\n2]", "[1,\\ \n2]", "[1#]\n]", "[1#]", "[\x0b]", "[\u00a0]", "[1\u20282]", "", " ", "\n", "#",
    "\x00", "'\x00'", "[1]\x00", "'\x01\x7f'",
    # Numbers.
    "[0_0, 00, 0_7.5, 01e1, 01j, 0x_f, 0XfF, 0B1, 0O17]", "[0_1]", "[007]", "[0x]", "[0x_]", "[0xf_]", "[0x__f]", "[0b2]", "[0o8]", "[0xg]",
    "[0b1.5]", "0xffffffffffffffffffffffffffffffff", "0b" + "1" * 70, "0o" + "7" * 40, "-0x10", "1_000.000_1e1_0j", "[1_.5]", "[1._5]", "[1e]",
    "[1e+]", "[1e_5]", "[1.e5]", "[.5]", "[.]", "[1..]", "[1.5.5]", "[1a]", "[1_j]", "[1J]", "0xFFj", "[12 34]", "-0", "-0.0", "+0.0", "- 1", "-\n1",
    "(-\n1)", "-(1)", "-((1.5))", "-(-1)", "+-1", "-True", "-None", "-[1]", "~1", "not 1", "1-", "1+", "+", "9" * 4300, "[" + "9" * 4301 + "]", "0" * 4301,
    "[1e16, 1e15, 1e-4, 1e-5, 123456789.0, 1.10, 100e-2, 5e-324]", "[" + "1" * 330 + ".0]", "[\u0661]", "[1e400, -1e400]",
    # Complex numbers.
    "1 + 2j", "(-1)+2j", "1+(2j)", "(1)+2j", "(1+2j)", "-(1+2j)", "-1j", "-1.5e20j", "-0.0-0j", "-0.0+0j", "1-0j", "0+0j", "1.5-2.5j", "-1+2j", "1e400+1j",
    "-1e400j", "1e400j", "9" * 400 + "+1j", "1+2j+3j", "1j+1", "1j+1j", "1+1", "1+-2j", "True+1j", "'a'+1j", "1j", "0j", "1e16j", "[1, +2, -3-4j]", "1*2j",
    # Words and other tokens.
    "None", "True", "[True, None]", "Truee", "true", "NaN", "[set()]", "set ( )", "set(\n)", "set(#c\n)", "set([1])", "set", "set()()", "set.x", "sett()",
    "dict()", "frozenset()", "...", "[....]", "[.. .]", "-...", "None()", "print", "lambda: 1", "[x for x in [1]]", "[1 if 1 else 2]", "1 < 2", "'a' in 'b'",
    "'a'.x", "'a'[0]", "'%s' % 1", "1;", "`1`", "$", "?", "!", "@", "1 == 1", "(x := 1)", "(yield)", "await x", "*[1]", "[*[1]]", "{**{}}", "**{}",
    # Strings.
    "''", "''''''", "'' ''", "'''a''''", "''''a'''", "'''a'b''c'''", "\"\"\"a\"b\"\"\"", "'a'''", "'a''b'", "'a' \"b\" '''c'''", "'a", "'''a", "'''a''", "'a\n'",
    "'\\\n'", "'a\\\nb'", "'\\", "'\\'", "r'\\'", "r'\\\\'", "r'\\''", "R'\\n'", "r'a\\\nb'", "u'a'", "U'a'", "ur'a'", "uR'a'", "f'a'", "F''", "fr'a'", "'a' f'b'", "x'a'", "u 'a'",
    "'\\a\\b\\f\\n\\r\\t\\v\\0\\\\\\'\\\"'", "'\\q\\8\\ \\\u00e9'", "'\\7\\77\\777\\7777\\08'", "'\\x41\\xff\\x7'", "'\\x4g'", "'\\x'", "'\\xe9'", "'\\u00e9\\u20ac'", "'\\u20'", "'\\u+041'",
    "'\\U0001F600'", "'\\U00110000'", "'\\UFFFFFFFF'", "'\\U0001F60'", "'\\udc80'", "['\\ud800', 'a\\udfffb']", "'\\N{bullet}'", "'\\N{Em Dash}'",
    "'\\N{LATIN SMALL LETTER A}'", "'\\N{SNOWMAN}\\N{GRINNING FACE}\\N{GREEK SMALL LETTER ALPHA}'", "'\\N{no such}'", "'\\N{}'", "'\\N'", "'\\N{BULLET'", "'\\NBULLET'", "'\\N{ BULLET }'",
    "r'\\N{x}'", "'\u00e9\u4e2d\U0001f600'", "'\u200b\u2028\u00ad\ufeff\ue000\U000e0001\u0378'", "'it\\'s'", "'it\\'s \"x\"'", "'\"'",
    # Bytes.
    "b''", "b'a' b'b'", "b'a' 'b'", "'a' b'b'", "b'\u00e9'", "rb'\\x'", "bR'\\''", "Rb'a'", "Br'a'", "bu'a'", "b'\\777\\400\\x80\\0'", "b'\\u0041\\N{x}\\U0001F600'", "b'\\x4'", "b'\\q'",
    "b'''a\nb'''", "b'\\'\"'", "b'\\''", "b'\\t\\n\\r\\\\\\x7f\\x1f'",
    # Brackets.
    "()", "(,)", "(1)", "(1,)", "((1))", "(1, 2,)", "('a')", "('a',)", "[()]", "[1,,2]", "[,1]", "[1 2]", "[1", "1]", "[1)", "(1]", "{1]", "[(1])", "[1],", "1,", "1,2", "1,2,", ",", "1,,2", "1, # c", "1, # c\n",
    "1,\n2", "[[]]", "[[[]], []]", "{}", "{,}", "{1}", "{1,}", "{1: 2}", "{1: 2,}", "{1: 2, 3}", "{1, 2: 3}", "{1:}", "{: 1}", "{1: 2: 3}", "{'a': {'b': [1, (2,)]}}", "{1:'a', True:'b', 1.0:'c'}",
    "{0: 1, -0.0: 2, False: 3, 0j: 4}", "{1, 1.0, True}", "{'a', 'a'}", "{b'a', 'a'}", "{9007199254740993, 9007199254740992.0}", "{9007199254740992, 9007199254740992.0}",
    "{1" + "0" * 22 + ": 1, 1e22: 2}", "{1" + "0" * 23 + ": 1, 1e23: 2}", "{" + "9" * 400 + ": 1, 1e400: 2}", "{1e400: 1, 1e999: 2}", "{1+0j: 1, 1: 2}", "{1+2j: 1, 1+2j: 2, 1-2j: 3}", "{(1, 2): 'a', (1.0, True): 'b'}",
    "{(1, True): 'a', (1.0, 1): 'b'}", "{None: 1, ...: 2}", "{[1]}", "{[1]: 2}", "{{}: 1}", "{(1, [2]): 1}", "{(1, (2, {3})): 1}", "{(1, (2, ())): 1}", "{set()}", "{'a': 1, 'b': 2, 'a': 3}", "{('a', 'b'): 1, ('ab', ''): 2}",
    "{() : 1, ((),): 2}", "[{1: [2]}, (3, {4}), {'x': None}]",
    "[" * 200 + "]" * 200, "[" * 201 + "]" * 201, "(" * 200 + "1" + ")" * 200, "(" * 201 + "1" + ")" * 201, "{1:" * 200 + "1" + "}" * 200, "{1:" * 201 + "1" + "}" * 201, "[" * 150,
    "[[], " * 100 + "1" + "]" * 100, "-" * 1000 + "1",
]


def write(path, rows):
    with open(path, "w", encoding="ascii") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    write("more_numbers.jsonl", map(number, NUMBERS))
    write("more_literals.jsonl", map(literal, LITERALS))
