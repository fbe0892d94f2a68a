package serve

import (
	"context"
	"log/slog"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/quote"
)

// longestLogged is how much of a call is logged at debug level, in characters.
const longestLogged = 2000

// How many places inside a call a line names, and how much of each, in
// characters: callers choose how many there are, and the names of some.
const (
	mostPlaces   = 10
	longestPlace = 60
)

// places are the first of a list of paths, as a line shows them.
func places(paths []string) []string {
	shown := make([]string, 0, mostPlaces)
	for _, path := range paths[:min(len(paths), mostPlaces)] {
		shown = append(shown, quote.Bare(path, longestPlace))
	}
	return shown
}

// log writes a line a call: which request, which command, what ended it, what
// was repaired and what a lookup corrected. Values are for debug level only.
func (d *Dispatcher) log(ctx context.Context, r *Request, outcome *command.Outcome, err error, took time.Duration) {
	log := d.options.Logger
	if err != nil {
		log.LogAttrs(ctx, slog.LevelWarn, "call not taken", slog.String("request", r.ID),
			slog.String("command", quote.Bare(r.Command, 60)), slog.String("reason", err.Error()))
		return
	}
	if !log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	attrs := []slog.Attr{
		slog.String("request", r.ID),
		slog.String("command", outcome.Output.CommandName),
		slog.Bool("ran", outcome.Ran()),
		slog.Duration("took", took),
	}
	if outcome.Stage != "" {
		attrs = append(attrs, slog.String("stage", string(outcome.Stage)), slog.Int("problems", len(outcome.Problems)))
	}
	diagnostics := outcome.Diagnostics()
	if n := len(diagnostics.Repairs); n > 0 {
		attrs = append(attrs, slog.Int("repairs", n), slog.Any("repaired", places(diagnostics.Repairs)))
	}
	var corrected []string
	for _, l := range diagnostics.DBLookup {
		if l.Changed {
			corrected = append(corrected, l.Field)
		}
	}
	if len(corrected) > 0 {
		attrs = append(attrs, slog.Int("lookups", len(corrected)), slog.Any("looked_up", places(corrected)))
	}
	log.LogAttrs(ctx, slog.LevelInfo, "call", attrs...)
	if log.Enabled(ctx, slog.LevelDebug) {
		log.LogAttrs(ctx, slog.LevelDebug, "call values", slog.String("request", r.ID),
			slog.String("text", quote.Bare(r.Text, longestLogged)), slog.String("arguments", quote.Bare(string(r.Arguments), longestLogged)),
			slog.String("answer", quote.Bare(outcome.Text(), longestLogged)))
	}
}
