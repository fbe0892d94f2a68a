// Package token issues and checks the bearer tokens of a server: JWTs with the
// claims of fastWorkflow's REST service (FW-170), signed with RS256.
//
//	issuer, err := token.New(token.Options{KeyPEM: key})
//	pair, err := issuer.Issue(token.Subject{Channel: "channel-7"})
//	caller, err := issuer.Verify(pair.Access)
//
// Without a key tokens are neither signed nor is a signature checked: they
// only say which channel a caller speaks on, and whoever reaches the server can
// write them. That is for loopback; expiry and type are checked all the same.
package token
