// Package postgres keeps records in a PostgreSQL database, for servers that run
// as several processes. It is a module of its own, so that those who do not use
// it do not load a database driver.
//
//	s, err := postgres.Open(ctx, "postgres://desk@db.example.com/desk", postgres.Options{})
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//
// A [Store] is a store.Store, and any number of them, in any number of processes,
// may work on one database. Open makes the table fwgo_records where it is not
// there yet, in the first schema of the connection's search_path; to put it
// elsewhere, add search_path=NAME to the URL. The URL also sizes the pool of
// connections: pool_max_conns=20. Once the table is there, a role needs SELECT,
// INSERT, UPDATE and DELETE on it, and no right to make anything.
//
// # When the server is lost
//
// A server that cannot be reached, is starting or is stopping is
// store.ErrUnavailable; the next call connects anew, and no restart of the
// program is needed. A Save or Delete whose connection broke before the answer
// came may have been made: it is not sent again behind the caller's back. Load
// tells, and the version of the record keeps a change that arrives late from
// overwriting anything.
//
// # What it refuses
//
// It does not give up durability for speed: where a server or role turns
// synchronous_commit off, its connections turn it on (fsync = off is the
// server's own and is left to whoever runs it). A database whose encoding is not
// UTF8, and a table of that name which it did not make, are errors of Open. It
// needs PostgreSQL 12 or later, and behind a pooler in transaction mode the
// URL's default_query_exec_mode=exec and a server that has synchronous_commit on.
package postgres
