// Package bench puts fwgo beside the code that a user would write or pick
// instead: what a call costs, and what becomes of calls that are nearly right.
//
// It is a module of its own, so that nobody who uses fwgo downloads its rivals.
//
//	go -C bench test -bench Calls    the rows, one by one
//	make -C bench bench              the same as one table, docs/performance.md
//	make -C bench peers              the scoreboard, docs/peers.md
//
// Times are compared only within one process, as ratios. The tests fail on
// ratios, with room for noise, and never on times.
package bench
