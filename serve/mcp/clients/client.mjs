// Calls the workflow of cli/internal/conformance as an agent in
// TypeScript would, with the protocol's own SDK:
//
//   client.mjs MODULES URL COMMAND...
//
// over HTTP and over the standard input and output of the command. MODULES is
// the directory that the SDK was installed in. The last line is
// 'N passed, N failed'.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [modules, url, ...command] = process.argv.slice(2);
const require = createRequire(pathToFileURL(join(modules, "package.json")));
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { ElicitRequestSchema } = require("@modelcontextprotocol/sdk/types.js");

// 2^53 + 1. A number of JavaScript cannot hold it, so it goes as text.
const BIG = "9007199254740993";

let passed = 0, failed = 0;
function check(name, ok, got) {
  if (ok) {
    passed++;
    return;
  }
  failed++;
  console.log(`${name}: got ${JSON.stringify(got)}`);
}

const text = (r) => r.content.filter((c) => c.type === "text").map((c) => c.text).join("");

async function connect(transport, answer) {
  const client = new Client({ name: "interop", version: "1" }, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer) client.setRequestHandler(ElicitRequestSchema, async (r) => answer(r.params));
  await client.connect(transport());
  return client;
}

async function calls(way, transport) {
  const asked = [], answers = [];
  let client = await connect(transport, (params) => {
    asked.push(params);
    return answers.shift();
  });
  const call = (name, args) => client.callTool({ name, arguments: args });

  const { tools } = await client.listTools();
  const book = tools.find((t) => t.name === "book")?.inputSchema;
  check(`${way}: the schema is listed`, JSON.stringify(book?.required) === '["city","seats","class"]', book);

  let r = await call("echo", { text: "a &amp;&amp; b", number: BIG, tags: ["x", "y"] });
  check(`${way}: values arrive as they were meant`, text(r) === `text=a && b number=${BIG} tags=x|y`, text(r));
  check(`${way}: a success is no error`, !r.isError, r);

  r = await call("book", { city: "Oslo", seats: "many", class: "third" });
  check(`${way}: a failure is a result that names the fields`, r.isError && text(r).includes("seats") && text(r).includes("first"), text(r));
  const problems = (r.structuredContent?.problems ?? []).map((p) => p.field);
  check(`${way}: a failure has its problems as data`, problems.join() === "seats,class", problems);
  check(`${way}: nobody is asked for what the caller can put right`, asked.length === 0, asked);

  answers.push({ action: "accept", content: { seats: 2, class: "first" } });
  r = await call("book", { city: "Oslo" });
  check(`${way}: the user fills in what is missing`, text(r) === "booked 2 in first class to Oslo", text(r));
  const fields = Object.keys(asked.at(-1)?.requestedSchema.properties ?? {});
  check(`${way}: the form has the missing fields`, fields.join() === "seats,class", fields);

  answers.push({ action: "decline" });
  r = await call("book", { city: "Oslo", class: "first" });
  check(`${way}: a user who declines is told of`, r.isError && text(r).includes("declined") && text(r).includes("seats"), text(r));

  const error = await call("bok", {}).then((r) => r, (e) => e);
  check(`${way}: an unknown tool`, error.code === -32602 && error.message.includes("book"), error);
  await client.close();

  client = await connect(transport);
  r = await call("book", { city: "Oslo", class: "first" });
  check(`${way}: without a user to ask, the text says what is missing`, r.isError && text(r).includes("seats"), text(r));
  await client.close();
}

const ways = {
  HTTP: () => new StreamableHTTPClientTransport(new URL(url)),
  stdio: () => new StdioClientTransport({ command: command[0], args: command.slice(1) }),
};
for (const [way, transport] of Object.entries(ways)) {
  await calls(way, transport).catch((e) => check(way, false, String(e)));
}
console.log(`typescript: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
