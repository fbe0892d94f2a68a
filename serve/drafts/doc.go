// Package drafts lets callers of a server propose drafts and operators approve
// them. A Desk keeps each draft with its state in the Store of a dispatcher, and
// runs it in the session of the caller who proposed it:
//
//	desk, err := drafts.New(dispatcher, drafts.Options{})
//	proposal, err := desk.Propose(ctx, caller, text, input)
//	_, err = desk.Approve(ctx, operator, proposal.ID, drafts.Approval{
//		Plan:   proposal.Plan.Fingerprint,
//		Grants: []drafts.Grant{{Step: "cancel", Tool: "cancel_order", Calls: 1}},
//	})
//	view, err := desk.Execute(ctx, caller, proposal.ID, 10*time.Second)
//
// Proposing decodes and reviews; nothing runs. An approval names the fingerprint
// of the plan that was reviewed and what each step may call; it is good for one
// run in this process and is stored nowhere (WD-30). Every call of a run goes
// through the dispatcher like any other. Where a run stands is stored before
// each call and after each step, so a process that is lost repeats no finished
// step, and its successor can say which calls the unfinished step had made. A
// run that lost its process is interrupted: an operator approves the rest, and
// the first unfinished step begins anew (WD-63).
//
// It refuses everyone but the caller who proposed a draft, and operators: for
// others it does not exist. Only an operator approves, also single calls that
// wait for it. Of two processes on one Store only one begins a run, and one that
// finds its draft changed by the other makes no further call.
package drafts
