// Package draft turns a model's proposal of several steps into a run that can do no more than was granted: a draft is
// decoded and reviewed as data, becomes a plan whose every step is approved with exactly the calls it may make, and runs
// under leases that narrow and never widen.
//
//	proposal, err := draft.Decode(wire)                        // untrusted: it can be read, and no more
//	review, err := proposal.Review(draft.ReviewOptions{})      // is each step a program, and where does it call out?
//
//	engine, err := draft.NewEngine(catalog, draft.Options{})   // catalog: the host's tools
//	plan, err := engine.Plan(proposal)
//	approval, err := engine.Approve(plan, draft.PerStep(       // the host's decision, never the draft's
//		draft.StepPolicy{StepID: "find", Grants: []draft.Grant{{Tool: "orders.get", Calls: 1}}},
//	), draft.ApproveOptions{Data: input})
//	result, err := engine.Run(ctx, plan, approval, draft.RunOptions{OnStep: store})
//
// A step is a program of package splash. It calls tools by name, and each call is checked when it is made: against the
// catalog, the schema and the budget of the tool, and the lease of the step. What is denied is an error to the program
// and an entry in the audit. A tool can ask for an approval of every single call, bound to the digest of its arguments
// ([Engine.ApproveCall]), or be run by someone else who claims its calls ([Engine.ClaimCall]); the run is suspended
// meanwhile. After each step the host gets a [Checkpoint] and the [Data] to store, and a later process resumes from
// these, with an approval of its own.
//
// The package refuses to take authority from anything that can be sent: approvals, leases, plans and contracts have no
// encoded form, a checkpoint proves nothing, and an approval is good for one run of one plan by one engine. It refuses to
// run a step after one that failed, to pass a step's names or promises on to the next, and to tell events, audit or
// error texts what a program read or wrote.
//
// The specification is the WD rules; where comments cite a rule, it is one of these or, for the language, an SL rule.
// Texts of errors are for people and may change; codes, bounds, digests and the JSON forms are the contract.
package draft
