package bench

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

// writeMachine writes what the figures depend on.
func writeMachine(w io.Writer) {
	fmt.Fprintf(w, "- CPU: %s, %d cores\n- %s, %s/%s\n- %s\n", cpu(), runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, today())
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

// cpu is the processor's own name where the system tells it.
func cpu() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

//go:embed go.mod
var goMod string

// version is the version of a module that the rows and the scoreboard are
// built with.
func version(module string) string {
	for line := range strings.Lines(goMod) {
		if words := strings.Fields(line); len(words) >= 2 && words[0] == module {
			return words[1]
		}
	}
	return "unknown"
}
