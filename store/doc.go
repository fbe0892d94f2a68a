// Package store says where conversations, drafts and tokens are kept between
// calls, so that a process that is lost loses nothing it had acknowledged.
//
// A [Store] keeps records: some bytes under a kind and an id. Whoever changes a
// record says which version of it they had read, and the change is refused if
// the record has moved on since:
//
//	s := store.Memory()
//	r := store.Record{Kind: "session", ID: "ada", Data: []byte(`{"turns":0}`)}
//	err := s.Save(ctx, &r) // new: r.Version was 0, and is now set
//	...
//	r, err = s.Load(ctx, "session", "ada")
//	r.Data = []byte(`{"turns":1}`)
//	err = s.Save(ctx, &r) // store.ErrConflict if somebody saved in between
//
// When Save or Delete returns nil the change is durable: it is there after the
// process is killed the next instant. [Memory] is the exception that its name
// says; store/bolt keeps records in one file, and the module store/postgres in
// a PostgreSQL database. Package storetest holds every Store to this contract,
// and yours too.
//
// # What it refuses
//
// It never overwrites a change that the writer had not seen, and never lets a
// version come twice for one id, so a writer that slept while a record was
// deleted and made anew is refused as well. It does not look into the data, has
// no queries beyond ids in order, and spans no two records with one change: what
// must change together belongs in one record.
package store
