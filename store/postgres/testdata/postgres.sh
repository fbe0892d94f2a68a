# A PostgreSQL server of its own for the tests of this module.
#
#   source store/postgres/testdata/postgres.sh
#
# finds the server's programs, or installs them (Debian, as root), makes a
# cluster in a temporary folder, starts it on a free loopback port with fsync on,
# and exports FWGO_POSTGRES_URL. When the shell ends the server is stopped and
# the folder removed; what the shell had trapped on EXIT still runs. A shell that
# sets such a trap afterwards calls fwgo_postgres_stop itself.
#
#   bash store/postgres/testdata/postgres.sh crash
#
# kills every process of that server with SIGKILL and starts it again; a test
# does that. Both forms need no working directory and leave the shell's options
# as they are.

# The server does not run as root, and need not be able to enter the folder that
# the caller is in.
fwgo_postgres_as() (
  cd /
  if [ "$(id -u)" -eq 0 ]; then
    runuser -u postgres -- "$@"
  else
    "$@"
  fi
)

# fwgo_postgres_programs prints the folder of the newest installed server.
fwgo_postgres_programs() {
  local found
  found=$(printf '%s\n' /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin /usr/local/pgsql/bin | sort -V | while read -r dir; do
    if [ -x "$dir/postgres" ] && [ -x "$dir/initdb" ]; then echo "$dir"; fi
  done | tail -n 1)
  if [ -z "$found" ] && command -v initdb >/dev/null && command -v postgres >/dev/null; then
    found=$(dirname "$(readlink -f "$(command -v initdb)")")
  fi
  printf '%s' "$found"
}

fwgo_postgres_install() {
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "postgres.sh: no PostgreSQL server was found; install one, or run as root where apt-get is" >&2
    return 1
  fi
  echo "postgres.sh: installing PostgreSQL" >&2
  DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >&2
}

# fwgo_postgres_launch starts the server of FWGO_POSTGRES_DIR.
fwgo_postgres_launch() {
  fwgo_postgres_as "$FWGO_POSTGRES_BIN/pg_ctl" -D "$FWGO_POSTGRES_DIR/data" -l "$FWGO_POSTGRES_DIR/log" -w -t 60 start >/dev/null 2>&1
}

fwgo_postgres_start() {
  local password port try
  FWGO_POSTGRES_BIN=$(fwgo_postgres_programs)
  if [ -z "$FWGO_POSTGRES_BIN" ]; then
    fwgo_postgres_install || return 1
    FWGO_POSTGRES_BIN=$(fwgo_postgres_programs)
  fi
  if [ -z "$FWGO_POSTGRES_BIN" ]; then
    echo "postgres.sh: PostgreSQL was installed, but its server's programs were not found" >&2
    return 1
  fi
  FWGO_POSTGRES_DIR=$(mktemp -d "${TMPDIR:-/tmp}/fwgo-postgres.XXXXXX") || return 1
  export FWGO_POSTGRES_BIN FWGO_POSTGRES_DIR
  password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '%s' "$password" >"$FWGO_POSTGRES_DIR/password"
  if [ "$(id -u)" -eq 0 ]; then
    chown -R postgres "$FWGO_POSTGRES_DIR" || return 1
  fi
  if ! fwgo_postgres_as "$FWGO_POSTGRES_BIN/initdb" -D "$FWGO_POSTGRES_DIR/data" -U fwgo -A scram-sha-256 \
    --pwfile="$FWGO_POSTGRES_DIR/password" --encoding=UTF8 --locale=C >"$FWGO_POSTGRES_DIR/initdb.log" 2>&1; then
    cat "$FWGO_POSTGRES_DIR/initdb.log" >&2
    return 1
  fi
  # Another process may take a port between a look and a start, so the start is
  # the look.
  for try in 1 2 3 4 5 6 7 8 9 10; do
    port=$((20000 + ($(od -An -N2 -tu2 /dev/urandom) % 40000)))
    cat >"$FWGO_POSTGRES_DIR/data/postgresql.auto.conf" <<CONF
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = ''
fsync = on
synchronous_commit = on
full_page_writes = on
max_connections = 100
shared_buffers = 64MB
CONF
    if fwgo_postgres_launch; then
      export FWGO_POSTGRES_URL="postgres://fwgo:$password@127.0.0.1:$port/postgres?sslmode=disable"
      return 0
    fi
  done
  echo "postgres.sh: the server did not start; its log ends:" >&2
  tail -n 20 "$FWGO_POSTGRES_DIR/log" >&2
  return 1
}

# fwgo_postgres_stop stops the server and removes all there is of it.
fwgo_postgres_stop() {
  if [ -n "${FWGO_POSTGRES_DIR:-}" ]; then
    fwgo_postgres_as "$FWGO_POSTGRES_BIN/pg_ctl" -D "$FWGO_POSTGRES_DIR/data" -m immediate -w stop >/dev/null 2>&1 || true
    rm -rf "$FWGO_POSTGRES_DIR"
  fi
  unset FWGO_POSTGRES_DIR FWGO_POSTGRES_BIN FWGO_POSTGRES_URL
}

# fwgo_postgres_stop_on_exit adds to what the shell does when it ends. What was
# there before sees the exit status it would have seen.
fwgo_postgres_stop_on_exit() {
  local before
  before=$(trap -p EXIT)
  eval "set -- $before" # trap -- 'COMMANDS' EXIT
  FWGO_POSTGRES_BEFORE=${3:-}
  trap fwgo_postgres_exit EXIT
}

fwgo_postgres_exit() {
  local status=$?
  fwgo_postgres_stop
  if [ "$status" -eq 0 ]; then
    eval "$FWGO_POSTGRES_BEFORE"
  else
    fwgo_postgres_status "$status" || eval "$FWGO_POSTGRES_BEFORE"
  fi
}

fwgo_postgres_status() { return "$1"; }

# fwgo_postgres_crash kills the server and its helpers and starts it again.
fwgo_postgres_crash() {
  local main pid stat try
  main=$(head -n 1 "$FWGO_POSTGRES_DIR/data/postmaster.pid") || return 1
  # The parent stands in the fourth field, after a name that may hold spaces.
  local family=$main
  for stat in /proc/[0-9]*/stat; do
    pid=$(sed -n "s/^\([0-9]*\) (.*) [A-Za-z] $main .*/\1/p" "$stat" 2>/dev/null) || true
    family="$family $pid"
  done
  # shellcheck disable=SC2086 # a list of numbers
  kill -KILL $family 2>/dev/null
  # Where nobody reaps them, killed processes stay as zombies, whose number the
  # new server would take for a running one.
  for try in $(seq 1 200); do
    if ! grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$main/status"; then break; fi
    sleep 0.01
  done
  rm -f "$FWGO_POSTGRES_DIR/data/postmaster.pid"
  for try in $(seq 1 50); do
    if fwgo_postgres_launch; then return 0; fi
    sleep 0.1
  done
  echo "postgres.sh: the server did not start again; its log ends:" >&2
  tail -n 20 "$FWGO_POSTGRES_DIR/log" >&2
  return 1
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  case "${1:-}" in
  crash) fwgo_postgres_crash ;;
  *)
    echo "usage: source $0, or with FWGO_POSTGRES_DIR set: bash $0 crash" >&2
    exit 2
    ;;
  esac
else
  fwgo_postgres_stop_on_exit
  fwgo_postgres_start || return 1
fi
