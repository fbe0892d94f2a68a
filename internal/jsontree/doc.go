// Package jsontree reads one JSON document, strictly and exactly, into a tree
// that remembers the text each value was written as.
//
// It exists beside encoding/json because a call's arguments need what that
// package does not give in one pass: the exact digits of every number, member
// order, repeated member names and broken UTF-8 as faults of their own, the
// place and the field at which a document is cut off, and a tree that costs
// no allocation per value. It refuses everything RFC 8259 refuses; it repairs
// nothing (rules D-3, N-6, N-8, N-9).
package jsontree
