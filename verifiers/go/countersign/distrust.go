package countersign

import (
	"fmt"
	"math"
	"strings"
)

// Who signs at a place in the log: L14, X7, S11 and "Distrust".

// distrust names a witness whose signatures do not count above a tree size.
type distrust struct {
	witness string
	size    int64
}

// An UnknownWitness is the id of a witness that is in no configuration.
type UnknownWitness string

func (u UnknownWitness) Error() string {
	return fmt.Sprintf("cannot distrust %s: no configuration has this witness", string(u))
}

// Distrust answers the network without the signatures of a witness, named as WITNESS or WITNESS@SIZE. The
// chain is chosen with them.
func (n *Network) Distrust(text string) (*Network, error) {
	witness, from, hasSize := strings.Cut(text, "@")
	size, isSize := int64(0), true
	if hasSize {
		size, isSize = integerOf(from)
	}
	if !witnessID.MatchString(witness) || !isSize {
		return nil, fmt.Errorf("cannot distrust %s: expected WITNESS or WITNESS@SIZE", text)
	}
	distrusting := *n
	distrusting.distrust = append(append([]distrust{}, n.distrust...), distrust{witness, size})
	return &distrusting, nil
}

// checkDistrust refuses a name that no configuration has: it would remove nobody.
func (n *Network) checkDistrust(peers []*Network) error {
	for _, d := range n.distrust {
		isKnown := false
		for _, one := range append([]*Network{n}, peers...) {
			for _, e := range one.allEpochs() {
				isKnown = isKnown || e.network.keys[d.witness] != nil
			}
		}
		if !isKnown {
			return UnknownWitness(d.witness)
		}
	}
	return nil
}

func (n *Network) allEpochs() []epoch {
	if n.epochs == nil {
		return []epoch{{integerLimit, integerLimit, n}}
	}
	return n.epochs
}

// at answers who signs heads of a size, or nil after the end of the log (L14).
func (n *Network) at(size int64) *Network {
	for _, e := range n.allEpochs() {
		if size <= e.end {
			return n.trusted(e.network, size)
		}
	}
	return nil
}

// anchoring answers who may sign for this peer, newest first, where the batch has time (X7).
func (n *Network) anchoring(time int64) []*Network {
	var signing []*Network
	epochs := n.allEpochs()
	for i := len(epochs) - 1; i >= 0; i-- {
		if time <= epochs[i].endTime {
			signing = append(signing, n.trusted(epochs[i].network, math.MaxInt64))
		}
	}
	return signing
}

// trusted answers signing with the ids that do not count in a head of a size: all of them if a link between the
// pinned epoch and this one has too few other signatures.
func (n *Network) trusted(signing *Network, size int64) *Network {
	if len(n.distrust) == 0 {
		return signing
	}
	trusted := *signing
	trusted.distrusted = n.distrustedAt(size)
	first, last := n.epoch, signing.epoch
	if first > last {
		first, last = last, first
	}
	for i := first; i < last; i++ {
		if !n.links[i].leadsWithout(n.distrustedAt(n.links[i].end.size)) {
			trusted.distrusted = map[string]bool{}
			for id := range signing.keys {
				trusted.distrusted[id] = true
			}
		}
	}
	return &trusted
}

// distrustedAt answers the ids that are named, and those with a key that a named one has in any epoch.
func (n *Network) distrustedAt(size int64) map[string]bool {
	ids, keys := map[string]bool{}, map[string]bool{}
	for _, d := range n.distrust {
		if size > d.size {
			ids[d.witness] = true
			for _, e := range n.allEpochs() {
				keys[string(e.network.keys[d.witness])] = true
			}
		}
	}
	for _, e := range n.allEpochs() {
		for id, key := range e.network.keys {
			if keys[string(key)] {
				ids[id] = true
			}
		}
	}
	return ids
}

// leadsWithout is L7 and L13 without some witnesses.
func (l link) leadsWithout(distrusted map[string]bool) bool {
	for _, signatures := range [][]witnessSignature{l.old, l.end.signatures} {
		count := int64(0)
		for _, s := range signatures {
			if !distrusted[s.id] {
				count++
			}
		}
		if count < l.predecessor.threshold {
			return false
		}
	}
	return true
}
