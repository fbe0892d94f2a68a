package postgres_test

import (
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A proxy stands between a store and the server, and misbehaves on command.
type proxy struct {
	url    string
	server string

	mu          sync.Mutex
	changed     *sync.Cond
	connections map[net.Conn]bool
	refusing    bool
	hanging     bool
}

func newProxy(t *testing.T, where string) *proxy {
	t.Helper()
	c, err := pgx.ParseConfig(where)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{server: fmt.Sprintf("%s:%d", c.Host, c.Port), connections: map[net.Conn]bool{}}
	p.changed = sync.NewCond(&p.mu)
	p.url = fmt.Sprintf("host=127.0.0.1 port=%d user=%s password=%s dbname=%s search_path=%s sslmode=disable",
		listener.Addr().(*net.TCPAddr).Port, c.User, c.Password, c.Database, c.RuntimeParams["search_path"])
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go p.serve(client)
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		p.hang(false)
		p.cut()
	})
	return p
}

func (p *proxy) serve(client net.Conn) {
	p.mu.Lock()
	refusing := p.refusing
	p.mu.Unlock()
	if refusing {
		client.Close()
		return
	}
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		client.Close()
		return
	}
	p.mu.Lock()
	p.connections[client], p.connections[server] = true, true
	p.mu.Unlock()
	var wait sync.WaitGroup
	wait.Go(func() { p.copy(server, client) })
	wait.Go(func() { p.copy(client, server) })
	wait.Wait()
	p.mu.Lock()
	delete(p.connections, client)
	delete(p.connections, server)
	p.mu.Unlock()
}

func (p *proxy) copy(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		for p.hanging {
			p.changed.Wait()
		}
		p.mu.Unlock()
		if _, writeErr := to.Write(buffer[:n]); writeErr != nil || err != nil {
			if err != nil && err != io.EOF {
				from.Close()
			}
			return
		}
	}
}

// cut breaks all connections that there are.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.connections {
		c.Close()
	}
}

// refuse says whether new connections are turned away.
func (p *proxy) refuse(is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusing = is
}

// hang says whether what is sent is held back.
func (p *proxy) hang(is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hanging = is
	p.changed.Broadcast()
}
