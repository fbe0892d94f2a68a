// Package bolt keeps records in one file on the local disk, for programs that
// run as one process: a command line, a desk, a single server.
//
//	s, err := bolt.Open("desk.db", bolt.Options{})
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//
// A [Store] is a store.Store. Save and Delete return after the file was synced
// to the disk; changes that arrive while another is being synced share the next
// sync, so many sessions at once cost little more than one. Unlike stores across
// a network it never leaves a caller in doubt: a change whose context ends before
// its turn has not been made, and one that is being written is waited for. Only
// when the disk itself fails is the outcome open.
//
// # What it refuses
//
// A file has one owner: while a process has it open, Open in another returns
// [ErrLocked]. It does not touch a file that it did not make, and a network file
// system whose locks and syncs are not to be trusted is not a place for one. The
// file grows with what is kept at one time and does not shrink; room that became
// free is used again.
package bolt
