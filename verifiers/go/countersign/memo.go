package countersign

import "sync"

// A memo keeps results of a slow function. It may be used by several goroutines.
type memo[T any] struct {
	mutex sync.Mutex
	kept  map[string]T
}

const memoLimit = 4096

func (m *memo[T]) get(key string, compute func() T) T {
	m.mutex.Lock()
	value, known := m.kept[key]
	m.mutex.Unlock()
	if known {
		return value
	}
	value = compute()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.kept == nil || len(m.kept) >= memoLimit {
		m.kept = map[string]T{}
	}
	m.kept[key] = value
	return value
}
