package countersign

import "encoding/binary"

// receiptMessage is the Sig_structure of COSE receipts (RFC 9052 section 4.4), in deterministic CBOR.
func (h treeHead) receiptMessage(logKey []byte) []byte {
	header := append(cborHead(5, 5), 0x01, 0x27, 0x04)
	header = append(header, cborString(2, keyID(h.networkID, append([]byte{1}, logKey...)))...)
	header = append(header, 0x0f, 0xa1, 0x01)
	header = append(header, cborString(3, h.networkID)...)
	header = append(header, 0x19, 0x01, 0x8b, 0x01)
	header = append(header, cborString(3, "countersign/tree-size")...)
	header = append(header, cborHead(0, uint64(h.size))...)
	message := append(cborHead(4, 4), cborString(3, "Signature1")...)
	message = append(message, cborString(2, string(header))...)
	message = append(message, cborString(2, "")...)
	return append(message, cborString(2, string(bytesOfHex(h.root)))...)
}

func cborString(major byte, content string) []byte {
	return append(cborHead(major, uint64(len(content))), content...)
}

// cborHead is the shortest head of an item.
func cborHead(major byte, count uint64) []byte {
	switch first := major << 5; {
	case count < 24:
		return []byte{first | byte(count)}
	case count < 1<<8:
		return []byte{first | 24, byte(count)}
	case count < 1<<16:
		return binary.BigEndian.AppendUint16([]byte{first | 25}, uint16(count))
	case count < 1<<32:
		return binary.BigEndian.AppendUint32([]byte{first | 26}, uint32(count))
	default:
		return binary.BigEndian.AppendUint64([]byte{first | 27}, count)
	}
}
