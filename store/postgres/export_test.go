package postgres

import "context"

// Setting returns what a connection of the store has for a setting.
func (s *Store) Setting(ctx context.Context, name string) (value string, err error) {
	err = s.pool.QueryRow(ctx, `SELECT current_setting($1)`, name).Scan(&value)
	return value, err
}

// Idle returns how many connections are open and unused.
func (s *Store) Idle() int { return int(s.pool.Stat().IdleConns()) }

var PrefixEnd = prefixEnd
