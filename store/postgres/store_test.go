package postgres_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/postgres"
	"github.com/fwgo/fwgo/store/storetest"
	"github.com/jackc/pgx/v5"
)

func TestStore(t *testing.T) {
	serverURL(t)
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Store { return mustOpen(t, schema(t)) })
}

func TestStoreOutlivesItself(t *testing.T) {
	serverURL(t)
	storetest.Durable(t, func(t *testing.T) (store.Store, func() store.Store) {
		where := schema(t)
		s := mustOpen(t, where)
		return s, func() store.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = mustOpen(t, where)
			return s
		}
	})
}

func TestAClosedStoreSaysSo(t *testing.T) {
	s := mustOpen(t, schema(t))
	for range 2 {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	_, loadErr := s.Load(t.Context(), "session", "ada")
	_, listErr := s.List(t.Context(), store.Query{Kind: "session"})
	for what, err := range map[string]error{
		"Load": loadErr, "List": listErr,
		"Save":   s.Save(t.Context(), &store.Record{Kind: "session", ID: "ada"}),
		"Delete": s.Delete(t.Context(), "session", "ada", 0),
	} {
		if !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Two servers over one database: what one saved, the other sees and respects.
func TestTwoStoresShareADatabase(t *testing.T) {
	where := schema(t)
	one, two := mustOpen(t, where), mustOpen(t, where)
	r := store.Record{Kind: "session", ID: "ada", Data: []byte("1")}
	if err := one.Save(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	got, err := two.Load(t.Context(), "session", "ada")
	if err != nil {
		t.Fatal(err)
	}
	got.Data = []byte("2")
	if err := two.Save(t.Context(), &got); err != nil {
		t.Fatal(err)
	}
	if err := one.Save(t.Context(), &r); !errors.Is(err, store.ErrConflict) {
		t.Errorf("got %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	server := serverURL(t)
	for _, test := range []struct {
		name, where string
		o           postgres.Options
		want        string
	}{
		{"no URL", "postgres://%", postgres.Options{}, "cannot parse"},
		{"a limit that is too large", server, postgres.Options{MaxData: 1<<28 + 1}, "MaxData is 268435457, accepted are 1 to 268435456 bytes"},
		{"a negative timeout", server, postgres.Options{Timeout: -1}, "Timeout is -1ns"},
		{"a schema that is not there", with(t, server, "search_path", "nowhere"), postgres.Options{}, "no schema has been selected"},
		{"a database that is not there", strings.Replace(server, "/postgres?", "/nowhere?", 1), postgres.Options{}, `database "nowhere" does not exist`},
		{"a wrong password", strings.Replace(server, "@", "wrong-secret@", 1), postgres.Options{}, "password authentication failed"},
	} {
		s, err := postgres.Open(t.Context(), test.where, test.o)
		if s != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
		if err != nil && (strings.Contains(err.Error(), "secret") || errors.Is(err, store.ErrUnavailable)) {
			t.Errorf("%s: the error %v holds a password or says to try again", test.name, err)
		}
	}
}

func TestADatabaseOfAnotherEncodingIsRefused(t *testing.T) {
	server := serverURL(t)
	execute(t, server, `CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`)
	defer execute(t, server, `DROP DATABASE latin`)
	_, err := postgres.Open(t.Context(), strings.Replace(server, "/postgres?", "/latin?", 1), postgres.Options{})
	if err == nil || !strings.Contains(err.Error(), "encoding is LATIN1, it must be UTF8") {
		t.Errorf("got %v", err)
	}
}

func TestManyOpenANewDatabaseAtOnce(t *testing.T) {
	where := schema(t)
	failed := make(chan error)
	for range 16 {
		go func() {
			s, err := postgres.Open(t.Context(), with(t, where, "pool_max_conns", "2"), postgres.Options{})
			if err == nil {
				err = s.Close()
			}
			failed <- err
		}()
	}
	for range 16 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
}

func TestATableOfAnotherIsLeftAlone(t *testing.T) {
	for _, comment := range []string{"NULL", "'fwgo store 2'"} {
		where := schema(t)
		execute(t, where, `CREATE TABLE fwgo_records (theirs int)`, `COMMENT ON TABLE fwgo_records IS `+comment)
		_, err := postgres.Open(t.Context(), where, postgres.Options{})
		if err == nil || !strings.Contains(err.Error(), "not one of this version of fwgo") {
			t.Errorf("comment %s: got %v", comment, err)
		}
		execute(t, where, `SELECT theirs FROM fwgo_records`)
	}
}

// A server's role may use the table and make none, and may have been given
// defaults that would break what the store promises.
func TestAModestRoleIsEnough(t *testing.T) {
	where := schema(t)
	mustOpen(t, where)
	c, err := pgx.ParseConfig(where)
	if err != nil {
		t.Fatal(err)
	}
	name := c.RuntimeParams["search_path"]
	execute(t, where,
		`CREATE ROLE modest LOGIN PASSWORD 'modest'`,
		`GRANT USAGE ON SCHEMA `+name+` TO modest`,
		`GRANT SELECT, INSERT, UPDATE, DELETE ON fwgo_records TO modest`,
		`ALTER ROLE modest SET synchronous_commit = off`,
		`ALTER ROLE modest SET default_transaction_isolation = 'serializable'`)
	defer execute(t, where, `DROP OWNED BY modest`, `DROP ROLE modest`)
	modest := fmt.Sprintf("host=%s port=%d user=modest password=modest dbname=%s search_path=%s sslmode=disable", c.Host, c.Port, c.Database, name)
	s := mustOpen(t, modest)
	r := store.Record{Kind: "session", ID: "ada"}
	for range 2 {
		if err := s.Save(t.Context(), &r); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Delete(t.Context(), "session", "ada", r.Version); err != nil {
		t.Error(err)
	}
	for setting, want := range map[string]string{"synchronous_commit": "on", "default_transaction_isolation": "read committed"} {
		if got, err := s.Setting(t.Context(), setting); got != want {
			t.Errorf("%s is %q on a connection of the store, want %q (%v)", setting, got, want, err)
		}
	}
}
