package token_test

import (
	"fmt"

	"github.com/fwgo/fwgo/serve/token"
)

func ExampleIssuer() {
	issuer, err := token.New(token.Options{}) // with KeyPEM where others can reach the server
	if err != nil {
		panic(err)
	}
	pair, err := issuer.Issue(token.Subject{Channel: "channel-7", User: "ada"})
	if err != nil {
		panic(err)
	}
	caller, err := issuer.Verify(pair.Access)
	fmt.Println(caller.Channel, caller.User, err)
	_, err = issuer.Verify(pair.Refresh)
	fmt.Println(err)
	// Output:
	// channel-7 ada <nil>
	// Invalid or expired token: this is not an access token
}
