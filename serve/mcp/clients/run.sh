#!/usr/bin/env bash
# Runs the clients in Python and TypeScript against a server of the workflow in
# cli/internal/conformance:
#   run.sh URL COMMAND...
# over HTTP at the URL and over the standard input and output of the command.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/fwgo/mcp-clients
mkdir -p "$cache"
if ! cmp -s "$here/requirements.txt" "$cache/requirements.txt"; then
  python3 -m venv "$cache/venv"
  "$cache/venv/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$cache/requirements.txt"
fi
if ! cmp -s "$here/package.json" "$cache/installed.json"; then
  cp "$here/package.json" "$cache/package.json"
  npm install --prefix "$cache" --no-audit --no-fund --loglevel=error
  cp "$here/package.json" "$cache/installed.json"
fi
result=0
"$cache/venv/bin/python" "$here/client.py" "$@" || result=1
node "$here/client.mjs" "$cache" "$@" || result=1
exit $result
