// Package recorded is an extractor that answers from a recording instead of
// asking a model, for tests of workflows.
//
// A recording says what is answered to which question, attempt by attempt, in
// Go or as a file of one JSON object a line (see Read). What was asked is kept
// and can be looked at afterwards. Every way in which a model can let a
// workflow down can be recorded as well: failures of every kind, no answer at
// all, text that is no JSON, values that do not fit.
//
// What it refuses: a question that is not in the recording is an error and
// never an empty answer, and so is a recording with two answers to one
// question.
package recorded
