package countersign

// A climb walks from a node to the root of its tree (RFC 9162 sections 2.1.3.2 and 2.1.4.2).
type climb struct{ node, last int64 }

// next answers whether the next hash of the path is a left sibling, and whether there is one.
func (c *climb) next() (isLeft, exists bool) {
	if c.last == 0 {
		return false, false
	}
	isLeft = c.node&1 == 1 || c.node == c.last
	for isLeft && c.node&1 == 0 && c.node != 0 {
		c.up()
	}
	c.up()
	return isLeft, true
}

func (c *climb) up() { c.node, c.last = c.node>>1, c.last>>1 }

func nodeHash(left, right []byte) []byte { return sha([]byte{1}, left, right) }

// rootOf answers the root that an inclusion path leads to, or nil if its length is wrong.
func rootOf(leafHash []byte, index, size int64, path []string) []byte {
	c, root := climb{index, size - 1}, leafHash
	for _, digits := range path {
		isLeft, exists := c.next()
		if !exists {
			return nil
		}
		if sibling := bytesOfHex(digits); isLeft {
			root = nodeHash(sibling, root)
		} else {
			root = nodeHash(root, sibling)
		}
	}
	if c.last != 0 {
		return nil
	}
	return root
}

// rootsOf answers the old and the new root of a consistency path that begins with a subtree of both
// trees, or nil.
func rootsOf(first, second int64, path []string) (before, after []byte) {
	if first < 1 || first >= second || len(path) == 0 {
		return nil, nil
	}
	c := climb{first - 1, second - 1}
	for c.node&1 == 1 {
		c.up()
	}
	before, after = bytesOfHex(path[0]), bytesOfHex(path[0])
	for _, digits := range path[1:] {
		isLeft, exists := c.next()
		if !exists {
			return nil, nil
		}
		if sibling := bytesOfHex(digits); isLeft {
			before, after = nodeHash(sibling, before), nodeHash(sibling, after)
		} else {
			after = nodeHash(after, sibling)
		}
	}
	if c.last != 0 {
		return nil, nil
	}
	return before, after
}

// leads is true if path leads from the head before to the head after.
func leads(before, after treeHead, path []string) bool {
	if before.size == after.size {
		return before.size > 0 && before.root == after.root && len(path) == 0
	}
	if before.size&(before.size-1) == 0 {
		path = append([]string{before.root}, path...)
	}
	first, second := rootsOf(before.size, after.size, path)
	return first != nil && hexOf(first) == before.root && hexOf(second) == after.root
}
