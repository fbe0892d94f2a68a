// Messaging shows contexts: objects that commands belong to. A chat room is
// the root; a user in it is a context of their own, whose parent is the room;
// premium users inherit what users can do.
//
//	go run ./examples/messaging chat --startup-command 'open_room name=lobby'
//	> add_user name=ann premium=yes
//	> talk_as an
//	> send_priority to=bob text="lunch?"
//	> list_users
//
// The last command is the room's: what the current context does not have, its
// parents are asked for.
package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/cli"
	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/lookup"
)

// A chatRoom holds its users in the order they came.
type chatRoom struct {
	name  string
	users []*user
}

type user struct {
	name    string
	premium bool
	room    *chatRoom
}

// A premiumUser is a user in a context of its own.
type premiumUser struct{ *user }

type roomInput struct {
	Name string `json:"name,omitempty" jsonschema:"default=lobby,minLength=3" jsonschema_extras:"positional=true"`
}

type addInput struct {
	Name    string `json:"name" jsonschema:"minLength=2,maxLength=20"`
	Premium bool   `json:"premium"`
}

type talkInput struct {
	Name string `json:"name" jsonschema_extras:"positional=true,db_lookup=true,available_from=list_users"`
}

type messageInput struct {
	To   string `json:"to" jsonschema_extras:"db_lookup=true,available_from=list_users"`
	Text string `json:"text" jsonschema:"minLength=2,maxLength=500"`
}

type broadcastInput struct {
	Text string `json:"text" jsonschema:"minLength=2,maxLength=200"`
}

// room returns the room that the session is in, wherever in it.
func room(s *command.Session) *chatRoom {
	r, _ := s.Root().(*chatRoom)
	return r
}

// names resolves against the users of the session's own room: the key set is
// live, and another room has another.
var names = lookup.ResolverFunc(func(ctx context.Context, value string) (lookup.Result, error) {
	var keys []string
	for _, u := range room(command.SessionFrom(ctx)).users {
		keys = append(keys, u.name)
	}
	return lookup.Match(value, keys, lookup.Options{}), nil
})

func (r *chatRoom) user(name string) *user {
	for _, u := range r.users {
		if u.name == name {
			return u
		}
	}
	return nil
}

func say(format string, args ...any) (command.Response, error) {
	return command.Say(fmt.Sprintf(format, args...)), nil
}

func openRoom(ctx context.Context, s *command.Session, in *roomInput) (command.Response, error) {
	if room(s) != nil {
		return command.Fail("A room is open already: " + room(s).name + "."), nil
	}
	if err := s.SetRoot(&chatRoom{name: in.Name}); err != nil {
		return command.Response{}, err
	}
	return say("Room %s is open.", in.Name)
}

func addUser(ctx context.Context, s *command.Session, in *addInput) (command.Response, error) {
	r, _ := command.Object[*chatRoom](s)
	if r.user(in.Name) != nil {
		return command.Fail("name: " + in.Name + " is here already; list_users shows who is."), nil
	}
	r.users = append(r.users, &user{name: in.Name, premium: in.Premium, room: r})
	return say("%s is here now.", in.Name)
}

func talkAs(ctx context.Context, s *command.Session, in *talkInput) (command.Response, error) {
	r, _ := command.Object[*chatRoom](s)
	u := r.user(in.Name)
	var object any = u
	if u.premium {
		object = &premiumUser{u}
	}
	if err := s.SetContext(object); err != nil {
		return command.Response{}, err
	}
	return say("You talk as %s.", u.name)
}

func listUsers(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
	r, _ := command.Object[*chatRoom](s)
	var list []string
	for _, u := range r.users {
		list = append(list, u.name)
	}
	return say("In %s: %s.", r.name, strings.Join(list, ", "))
}

func broadcast(ctx context.Context, s *command.Session, in *broadcastInput) (command.Response, error) {
	r, _ := command.Object[*chatRoom](s)
	return say("To all %d in %s: %s", len(r.users), r.name, in.Text)
}

func send(ctx context.Context, s *command.Session, in *messageInput) (command.Response, error) {
	from, ok := command.Object[*user](s)
	if !ok { // a premium user has inherited the command
		p, _ := command.Object[*premiumUser](s)
		from = p.user
	}
	return say("%s to %s: %s", from.name, in.To, in.Text)
}

func sendPriority(ctx context.Context, s *command.Session, in *messageInput) (command.Response, error) {
	from, _ := command.Object[*premiumUser](s)
	return say("%s to %s, at once: %s", from.name, in.To, in.Text)
}

func workflow() *command.Workflow {
	who := map[string]lookup.Resolver{"name": names}
	to := map[string]lookup.Resolver{"to": names}
	return command.MustNew(
		command.Options{Name: "messaging", Contexts: []*command.Context{
			command.DefineContext(command.ContextSpec[*chatRoom]{Name: "ChatRoom", EnteredBy: []string{"open_room"},
				DisplayName: func(r *chatRoom) string { return "room " + r.name }}),
			command.DefineContext(command.ContextSpec[*user]{Name: "User", EnteredBy: []string{"talk_as"},
				Parent: func(u *user) any { return u.room }, DisplayName: func(u *user) string { return u.name }}),
			command.DefineContext(command.ContextSpec[*premiumUser]{Name: "PremiumUser", Bases: []string{"User"}, EnteredBy: []string{"talk_as"},
				Parent: func(u *premiumUser) any { return u.room }, DisplayName: func(u *premiumUser) string { return u.name }}),
		}},
		command.Define(command.Spec[roomInput]{Name: "open_room", Description: "Opens the chat room", Run: openRoom}),
		command.Define(command.Spec[addInput]{Name: "ChatRoom/add_user", Description: "Lets a user in", Run: addUser}),
		command.Define(command.Spec[talkInput]{Name: "ChatRoom/talk_as", Description: "Makes a user the one who talks", Resolvers: who, Run: talkAs}),
		command.Define(command.Spec[struct{}]{Name: "ChatRoom/list_users", Description: "Says who is in the room", ReadOnly: true, Run: listUsers}),
		command.Define(command.Spec[broadcastInput]{Name: "ChatRoom/broadcast", Description: "Says something to everybody", Run: broadcast}),
		command.Define(command.Spec[messageInput]{Name: "User/send", Description: "Sends a message to one user", Resolvers: to, Run: send}),
		command.Define(command.Spec[messageInput]{Name: "PremiumUser/send_priority", Description: "Sends a message that is read at once", Resolvers: to, Run: sendPriority}),
	)
}

func main() { cli.Main(workflow()) }
