// Package draft turns a model's proposal of several steps into a run that can
// do no more than was granted: a draft is decoded and reviewed as data, becomes
// a plan whose every step is approved with exactly the calls it may make, and
// runs under leases that narrow and never widen.
package draft
