package main

import (
	"context"
	"testing"
)

func TestAConversationMovesThroughContexts(t *testing.T) {
	s := workflow().NewSession()
	for _, turn := range [][2]string{
		{"list_users", `PARAMETER`},
		{"open_room lobby", "Room lobby is open."},
		{"add_user name=ann premium=yes", "ann is here now."},
		{"add_user name=Robert premium=no", "Robert is here now."},
		{"send to=Robert text=hello", "PARAMETER"},
		{"talk_as robert", "You talk as Robert."},
		{"send to=ANN text=hello", "Robert to ann: hello"},
		{"send_priority to=ann text=hello", "PARAMETER"},
		{"broadcast text='hello all'", "To all 2 in lobby: hello all"},
		{"talk_as ann", "You talk as ann."},
		{"send to=Robrt text=lunch", "ann to Robert: lunch"},
		{"send_priority to=Robert text=lunch", "ann to Robert, at once: lunch"},
		{"where am I?", "Current context is 'ann'"},
		{"go up", "Context is now 'room lobby' From here, use one of: add_user, broadcast, list_users, talk_as"},
		{"list_users", "In lobby: ann, Robert."},
	} {
		got := s.Call(context.Background(), turn[0]).Text()
		if turn[1] == "PARAMETER" {
			if s.Call(context.Background(), turn[0]).Ran() {
				t.Errorf("%s runs: %s", turn[0], got)
			}
			continue
		}
		if got != turn[1] {
			t.Errorf("%s is answered %q, want %q", turn[0], got, turn[1])
		}
	}
}
