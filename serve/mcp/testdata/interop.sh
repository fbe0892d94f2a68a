#!/usr/bin/env bash
# Holds the server against the protocol's conformance suite and against clients
# in Python and TypeScript:
#   interop.sh                   serves the workflow in cli/internal/conformance
#   interop.sh URL COMMAND...    takes one that serves the same workflow: MCP at
#                                the URL, and on the command's standard input and output
# It needs python3, node 20 and npm; what it installs is kept in
# ${XDG_CACHE_HOME:-$HOME/.cache}/fwgo.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -eq 0 ]; then
  work=$(mktemp -d)
  server=
  trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
  (cd "$here/../../.." && go build -o "$work/server" ./cli/internal/conformance)
  "$work/server" serve --http 127.0.0.1:0 --profile pydantic 2>"$work/log" &
  server=$!
  address=
  for _ in $(seq 100); do
    address=$(sed -n 's/.*msg=serving address=\([^ ]*\).*/\1/p' "$work/log")
    [ -z "$address" ] || break
    sleep 0.1
  done
  set -- "http://$address/mcp" "$work/server" serve --mcp --profile pydantic --log error
fi
result=0
"$here/conformance/run.sh" "$1" || result=1
"$here/../clients/run.sh" "$@" || result=1
exit $result
