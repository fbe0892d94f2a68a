package postgres_test

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command/sessiontest"
	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/postgres"
	"github.com/fwgo/fwgo/store/storetest"
	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) {
	open := func(where string) (store.Store, error) {
		return postgres.Open(context.Background(), where, postgres.Options{})
	}
	storetest.CrashChild(open)
	sessiontest.Child(open)
	os.Exit(m.Run())
}

// serverURL is the URL of a PostgreSQL in which the tests may make schemas,
// roles and databases; testdata/postgres.sh starts one.
func serverURL(t *testing.T) string {
	t.Helper()
	server := os.Getenv("FWGO_POSTGRES_URL")
	if server == "" {
		t.Skip("FWGO_POSTGRES_URL names no PostgreSQL; source testdata/postgres.sh to have one")
	}
	return server
}

// with returns the URL with parameters set, by name and value in turn.
func with(t *testing.T, server string, parameters ...string) string {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal("FWGO_POSTGRES_URL is not a URL")
	}
	q := u.Query()
	for i := 0; i < len(parameters); i += 2 {
		q.Set(parameters[i], parameters[i+1])
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// schema makes a schema for one test and returns the URL that leads into it.
func schema(t *testing.T) string {
	t.Helper()
	server := serverURL(t)
	name := "test_" + strings.ToLower(rand.Text())
	execute(t, server, `CREATE SCHEMA `+name)
	t.Cleanup(func() { execute(t, server, `DROP SCHEMA `+name+` CASCADE`) })
	return with(t, server, "search_path", name)
}

// execute runs statements on a connection of its own.
func execute(t *testing.T, where string, statements ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, where)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	for _, statement := range statements {
		if _, err := c.Exec(ctx, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func mustOpen(t *testing.T, where string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), where, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}
