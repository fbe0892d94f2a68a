// Package rest serves a workflow over HTTP with the endpoints, bodies, tokens
// and streams of fastWorkflow's own service (FW-163 to FW-172), so that its
// clients need not know the difference, and describes them in an OpenAPI 3.1
// document made from the commands' signatures.
//
//	service, err := rest.New(dispatcher, rest.Options{Issuer: issuer})
//	http.ListenAndServe("127.0.0.1:8000", service)
//
// A call that the pipeline refuses is an ordinary answer with status 200 whose
// output says what to do (FW-167); 4xx is for requests that never became a
// call. Only net/http is used.
//
// With Options.Drafts it takes drafts too, under /drafts: several calls that are
// proposed, reviewed and approved as a whole.
package rest
