"""Calls the workflow of cli/internal/conformance as an agent in Python
would, with the protocol's own SDK:

    client.py URL COMMAND...

over HTTP and over the standard input and output of the command, each with and
without a handshake. The last line is 'N passed, N failed'.
"""

import asyncio
import sys

from mcp import Client, MCPError, StdioServerParameters
from mcp.types import ElicitResult

BIG = 9007199254740993  # 2^53 + 1, which no float64 holds

passed = failed = 0


def check(name, ok, got):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"{name}: got {got!r}")


def text(result):
    return "".join(c.text for c in result.content if c.type == "text")


async def calls(way, server, mode):
    asked = []
    answers = []

    async def ask(context, params):
        asked.append(params)
        return answers.pop(0)

    async with Client(server, mode=mode, elicitation_callback=ask, read_timeout_seconds=20) as client:
        tools = {t.name: t for t in (await client.list_tools()).tools}
        book = tools["book"].input_schema if "book" in tools else None
        check(f"{way}: the schema is listed", book and book["required"] == ["city", "seats", "class"], book)
        check(f"{way}: the description says what is required", "(required)" in (tools["book"].description or ""), tools["book"].description)

        r = await client.call_tool("echo", {"text": "a &amp;&amp; b", "number": BIG, "tags": ["x", "y"]})
        check(f"{way}: values arrive as they were meant", text(r) == f"text=a && b number={BIG} tags=x|y", text(r))
        check(f"{way}: a success is no error", not r.is_error, r)

        r = await client.call_tool("echo", {"text": "x", "number": str(BIG)})
        check(f"{way}: a number written as text", text(r) == f"text=x number={BIG} tags=", text(r))

        r = await client.call_tool("book", {"city": "Oslo", "seats": "many", "class": "third"})
        check(f"{way}: a failure is a result that names the fields", r.is_error and "seats" in text(r) and "first" in text(r), text(r))
        problems = (r.structured_content or {}).get("problems", [])
        check(f"{way}: a failure has its problems as data", [p["field"] for p in problems] == ["seats", "class"], problems)
        check(f"{way}: nobody is asked for what the caller can put right", not asked, asked)

        answers.append(ElicitResult(action="accept", content={"seats": 2, "class": "first"}))
        r = await client.call_tool("book", {"city": "Oslo"})
        check(f"{way}: the user fills in what is missing", text(r) == "booked 2 in first class to Oslo", text(r))
        fields = asked[-1].requested_schema["properties"] if asked else {}
        check(f"{way}: the form has the missing fields", list(fields) == ["seats", "class"] and fields["class"]["enum"] == ["first", "second"], fields)

        answers.append(ElicitResult(action="decline"))
        r = await client.call_tool("book", {"city": "Oslo", "class": "first"})
        check(f"{way}: a user who declines is told of", r.is_error and "declined" in text(r) and "seats" in text(r), text(r))

        try:
            r = await client.call_tool("bok", {})
            check(f"{way}: an unknown tool", False, text(r))
        except MCPError as e:
            check(f"{way}: an unknown tool", e.code == -32602 and "book" in str(e), str(e))

    async with Client(server, mode=mode, read_timeout_seconds=20) as client:
        r = await client.call_tool("book", {"city": "Oslo", "class": "first"})
        check(f"{way}: without a user to ask, the text says what is missing", r.is_error and "seats" in text(r), text(r))


async def main():
    url, command = sys.argv[1], sys.argv[2:]
    stdio = StdioServerParameters(command=command[0], args=command[1:])
    for way, server in (("HTTP", url), ("stdio", stdio)):
        for mode in ("auto", "legacy"):
            try:
                await calls(f"{way}, {mode}", server, mode)
            except Exception as e:  # a way that breaks is one failure
                check(f"{way}, {mode}", False, e)
    print(f"python: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


asyncio.run(main())
