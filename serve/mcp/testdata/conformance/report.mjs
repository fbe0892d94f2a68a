// Compares what the conformance suite found with expected.txt:
//   report.mjs expected.txt directory...
// where each directory holds the results of one run. It lists what is not as
// expected and exits with 1 if there is any.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [expectedFile, ...runs] = process.argv.slice(2);
const expected = new Map();
for (const line of readFileSync(expectedFile, "utf8").split("\n")) {
  const [scenario, check, ...reason] = line.trim().split(/\s+/);
  if (!scenario || scenario.startsWith("#")) continue;
  if (reason.length === 0) throw new Error(`${expectedFile}: no reason for ${scenario} ${check}`);
  expected.set(`${scenario} ${check}`, { failed: 0 });
}

let passed = 0, failed = 0, excused = 0;
for (const run of runs) {
  let checks = 0;
  for (const directory of readdirSync(run)) {
    const scenario = directory.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, "");
    for (const check of JSON.parse(readFileSync(join(run, directory, "checks.json"), "utf8"))) {
      checks++;
      const excuse = expected.get(`${scenario} ${check.id}`);
      if (check.status === "SUCCESS") {
        passed++;
      } else if (check.status === "FAILURE" || check.status === "WARNING") {
        if (excuse) {
          excuse.failed++;
          excused++;
        } else {
          failed++;
          console.log(`${run}: ${scenario} ${check.id}: ${check.errorMessage ?? check.description}`);
        }
      }
    }
  }
  if (checks === 0) {
    failed++;
    console.log(`${run}: the suite made no check`);
  }
}
for (const [name, { failed: times }] of expected) {
  if (times === 0) {
    failed++;
    console.log(`${expectedFile}: ${name} did not fail: remove the line`);
  }
}
console.log(`conformance: ${passed} passed, ${failed} failed (${excused} do not apply)`);
process.exit(failed === 0 ? 0 : 1);
