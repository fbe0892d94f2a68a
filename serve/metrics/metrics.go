// Package metrics counts and times the calls of a server for Prometheus.
//
//	m := metrics.New()
//	d := serve.New(workflow, serve.Options{Observers: []serve.Observer{m}})
//	http.Handle("/metrics", m.Handler())
//
// Labels are commands, stages and results, never what callers sent.
package metrics

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/validate"
)

// Metrics is an Observer that keeps figures of its own, in a registry of its
// own:
//
//	fwgo_calls_total{command,result,stage}   calls by how they ended
//	fwgo_call_duration_seconds{command}      how long they took
//	fwgo_calls_running                       how many run now
//	fwgo_repairs_total{command}              arguments that normalization repaired
//	fwgo_lookup_corrections_total{command}   values that a lookup corrected
//	fwgo_calls_refused_total{reason}         calls without an answer: busy, session_busy,
//	                                         draining, too_long and session never ran,
//	                                         not_stored ran
//
// Result is ran, failed (the command answered bad news, or broke: stage run),
// refused (by the pipeline, at the stage given), held (by the call's gate) or
// handled (by a built-in command). What names no
// command of the workflow counts under command "".
type Metrics struct {
	registry    *prometheus.Registry
	calls       *prometheus.CounterVec
	durations   *prometheus.HistogramVec
	running     prometheus.Gauge
	repairs     *prometheus.CounterVec
	corrections *prometheus.CounterVec
	refused     *prometheus.CounterVec
}

// New makes Metrics with all figures at zero, and those of the Go runtime and
// the process beside them.
func New() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fwgo_calls_total", Help: "Calls by command, result and the stage that ended them."},
			[]string{"command", "result", "stage"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "fwgo_call_duration_seconds", Help: "How long calls took.",
			Buckets: []float64{.0001, .0005, .001, .005, .01, .05, .1, .5, 1, 5, 10, 60}}, []string{"command"}),
		running:     prometheus.NewGauge(prometheus.GaugeOpts{Name: "fwgo_calls_running", Help: "Calls that run now."}),
		repairs:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fwgo_repairs_total", Help: "Arguments that normalization repaired."}, []string{"command"}),
		corrections: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fwgo_lookup_corrections_total", Help: "Values that a lookup corrected."}, []string{"command"}),
		refused:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fwgo_calls_refused_total", Help: "Calls without an answer, by the reason; those not_stored have run."}, []string{"reason"}),
	}
	m.registry.MustRegister(m.calls, m.durations, m.running, m.repairs, m.corrections, m.refused,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler serves the figures in the text format of Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// Begin counts a call in; see serve.Observer.
func (m *Metrics) Begin(ctx context.Context, _ *serve.Request) (context.Context, serve.Observation) {
	m.running.Inc()
	return ctx, &observation{m: m, began: time.Now()}
}

type observation struct {
	m     *Metrics
	began time.Time
}

func (o *observation) Stage(ctx context.Context, _ validate.Stage) (context.Context, func()) {
	return ctx, nil
}

func (o *observation) Done(outcome *command.Outcome, err error) {
	m := o.m
	m.running.Dec()
	if err != nil {
		m.refused.WithLabelValues(reason(err)).Inc()
		return
	}
	name := outcome.Output.CommandName
	m.calls.WithLabelValues(name, result(outcome), string(outcome.Stage)).Inc()
	m.durations.WithLabelValues(name).Observe(time.Since(o.began).Seconds())
	if outcome.Held() {
		return // the same arguments come again, to run
	}
	if n := len(outcome.Repairs); n > 0 {
		m.repairs.WithLabelValues(name).Add(float64(n))
	}
	for _, l := range outcome.Diagnostics().DBLookup {
		if l.Changed {
			m.corrections.WithLabelValues(name).Inc()
		}
	}
}

func result(o *command.Outcome) string {
	switch {
	case o.Stage == validate.StageRun:
		return "failed"
	case o.Stage != "":
		return "refused"
	case o.Held():
		return "held"
	case o.Handled():
		return "handled"
	case o.Output.CommandResponse.Success:
		return "ran"
	default:
		return "failed"
	}
}

func reason(err error) string {
	for known, word := range map[error]string{serve.ErrBusy: "busy", serve.ErrSessionBusy: "session_busy", serve.ErrDraining: "draining", serve.ErrTooLong: "too_long",
		command.ErrNotStored: "not_stored"} {
		if errors.Is(err, known) {
			return word
		}
	}
	return "session"
}
