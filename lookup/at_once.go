package lookup

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Where the nearest of a great many texts are far from a value, measuring them is the
// one thing that takes long. Then several goroutines measure, and what they find is
// visited in the order of the texts, so that the answer is the same.
const (
	mostWorkers = 4
	fewEdits    = 3 // that are measured soon
)

// Tests lower these.
var (
	batchWords = 512 // times 64 texts that are measured before any is visited
	chunkWords = 16  // that a goroutine takes at a time
	leastWords = 128 // that there must be of a length
	fewWords   = 64  // that one goroutine measures alone
)

// workers is how many goroutines measure the texts of a class.
func (b *probe) workers(c class) int {
	if (c.end-c.first)/64 < leastWords {
		return 1
	}
	return min(runtime.GOMAXPROCS(0), mostWorkers)
}

// slicers are as many slicers of the value.
func (b *probe) slicers(n int) []*sliced {
	for len(b.sliced) < n {
		b.sliced = append(b.sliced, newSliced(&b.texts, b.code))
	}
	return b.sliced[:n]
}

// A batch is texts to be measured at once.
type batch struct {
	words []batchWord
	near  []uint64 // for each word, by distance, the texts that are as near
	next  atomic.Int64
}

type batchWord struct {
	first int
	among uint64
}

// windowsAtOnce is windows for the texts of a class, the n-th, measured by several
// goroutines. It returns what is of interest after them.
func (b *probe) windowsAtOnce(n int, c class, lacking, most, workers int, visit func(word int, keys uint64, edits int) (most int)) int {
	slicers := b.slicers(workers)
	t := batch{words: make([]batchWord, 0, batchWords), near: make([]uint64, batchWords*(most+1))}
	flush := func() {
		// What was of interest when they were measured is at least what is when they
		// are visited, and a distance does not depend on it.
		width := most + 1
		t.measure(slicers, n, c, most)
		for i, w := range t.words {
			for edits := 0; edits <= most; edits++ {
				if near := t.near[i*width+edits]; near != 0 {
					most = visit(w.first/64, near, edits)
				}
			}
		}
		t.words = t.words[:0]
	}
	b.words(c, min(lacking, most), func(first int, among uint64) int {
		if t.words = append(t.words, batchWord{first, among}); len(t.words) == batchWords {
			flush()
		}
		return min(lacking, most)
	})
	if most >= 0 {
		flush()
	}
	return most
}

// measure measures the words of the batch. A panic of a goroutine is its caller's.
func (t *batch) measure(slicers []*sliced, n int, c class, most int) {
	t.next.Store(0)
	if len(t.words) < fewWords || most <= fewEdits && len(t.words) < batchWords {
		t.work(slicers[0], n, c, most) // the others would come too late
		return
	}
	var all sync.WaitGroup
	var failed atomic.Value
	for _, s := range slicers {
		all.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					failed.CompareAndSwap(nil, panicked{v})
				}
			}()
			t.work(s, n, c, most)
		})
	}
	all.Wait()
	if p, ok := failed.Load().(panicked); ok {
		panic(p.value)
	}
}

type panicked struct{ value any }

func (t *batch) work(s *sliced, n int, c class, most int) {
	width := most + 1
	for {
		end := int(t.next.Add(int64(chunkWords)))
		first := end - chunkWords
		if first >= len(t.words) {
			return
		}
		for i, w := range t.words[first:min(end, len(t.words))] {
			s.nearest(n, c, w.first, most, w.among)
			copy(t.near[(first+i)*width:][:width], s.at[:])
		}
	}
}
