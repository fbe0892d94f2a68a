#!/usr/bin/env bash
# Fuzzes the REST endpoints of the built-in workflow against the OpenAPI
# document that they serve: no 5xx, no answer that the document does not
# describe. Needs python3; schemathesis is installed into a folder of the
# user's cache.
#
# What is sent beyond the schema is not expected to be refused: taking a call
# that is nearly right is what the pipeline is for. So the checks on that, and on
# what a request without a token is answered (the tests of the package hold
# it), are not among those run.
set -euo pipefail
cd "$(dirname "$0")/../../.."

version=4.32.5
least=2000
venv=${XDG_CACHE_HOME:-$HOME/.cache}/fwgo/schemathesis-$version
if [ ! -x "$venv/bin/st" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"
fi

work=$(mktemp -d)
go build -o "$work/fwgo" ./cmd/fwgo
mkdir "$work/dumps"
"$work/fwgo" serve --drafts --operator --http 127.0.0.1:0 --dump-dir "$work/dumps" --log info 2>"$work/log" &
server=$!
trap 'kill $server 2>/dev/null || true; wait $server 2>/dev/null || true; rm -rf "$work"' EXIT
address=
for _ in $(seq 100); do
  address=$(sed -n 's/.*msg=serving address=\([^ ]*\).*/\1/p' "$work/log")
  [ -n "$address" ] && break
  sleep 0.1
done
[ -n "$address" ] || { cat "$work/log"; exit 1; }

token=$(python3 - "$address" <<'PY'
import json, sys, urllib.request
def post(path, body):
    request = urllib.request.Request(f"http://{sys.argv[1]}{path}", body, {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))["access_token"]
post("/initialize", b'{"channel_id":"fuzz"}')
print(post("/admin/generate_mcp_token", b'{"channel_id":"fuzz","role":"operator"}')) # for the drafts, too
PY
)
cd "$work"
"$venv/bin/st" run "http://$address/openapi.json" -H "Authorization: Bearer $token" \
  -c not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,unsupported_method,allow_header_conformance \
  --phases examples,coverage,fuzzing -n 130 --seed 1 --continue-on-failure | tee "$work/out"
count=$(sed -n 's/^ *\([0-9]*\) generated.*/\1/p' "$work/out")
if [ "${count:-0}" -lt "$least" ]; then
  echo "only ${count:-0} requests were made, at least $least are wanted"
  exit 1
fi
if grep -q 'panicked' "$work/log"; then
  grep 'panicked' "$work/log"
  exit 1
fi
