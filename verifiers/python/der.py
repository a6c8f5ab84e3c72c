"""DER (X.690) of time-stamp tokens and certificates, read strictly. Whatever breaks a rule raises
Malformed("timestamp_refused")."""

import calendar
import re
from datetime import datetime

from countersign_verify import require

BOOLEAN, INTEGER, BITS, OCTETS, NULL, OBJECT_ID, ENUMERATED = 1, 2, 3, 4, 5, 6, 10
UTF8, UTC_TIME, GENERALIZED_TIME, SEQUENCE, SET = 0x0c, 0x17, 0x18, 0x30, 0x31
SIMPLE = {BOOLEAN, INTEGER, BITS, OCTETS, NULL, OBJECT_ID, ENUMERATED, UTF8, UTC_TIME,
          GENERALIZED_TIME, 0x12, 0x13, 0x14, 0x16, 0x1a, 0x1c, 0x1e}  # the rest are strings
DEPTH_LIMIT, VALUE_LIMIT = 24, 8000

def need(condition):
    require(condition, "timestamp_refused")

def context(number, constructed=True):
    return 0x80 | constructed << 5 | number

class Value:
    """One value: its identifier octet, its contents, and all of its bytes."""

    def __init__(self, tag, content, raw):
        self.tag, self.content, self.raw = tag, content, raw

    def is_(self, tag):
        need(self.tag == tag)
        return self

    def members(self, tag=None):
        """The values inside, at the end of which nothing else may stand."""
        need(self.tag & 0x20 and tag in (None, self.tag))
        found, rest = [], self.content
        while rest:
            value, rest = first(rest)
            found.append(value)
        return found

    def only(self, tag):
        """The one value inside."""
        inside = self.members(tag)
        need(len(inside) == 1)
        return inside[0]

    def octets(self):
        return self.is_(OCTETS).content

    def bits(self):
        """The bytes of a bit string, and how many bits of the last one are unused."""
        content = self.is_(BITS).content
        need(content and content[0] <= 7 and (len(content) > 1 or content[0] == 0))
        unused, data = content[0], content[1:]
        need(not data or data[-1] & (1 << unused) - 1 == 0)
        return data, unused

    def integer(self, tag=INTEGER):
        content = self.is_(tag).content
        need(content)
        need(len(content) == 1 or content[0] not in (0, 0xff) or content[0] >> 7 != content[1] >> 7)
        return int.from_bytes(content, "big", signed=True)

    def small(self, tag=INTEGER):
        """An integer of at most 32 bits."""
        need(len(self.content) <= 4)
        return self.integer(tag)

    def boolean(self):
        need(self.is_(BOOLEAN).content in (b"\0", b"\xff"))
        return self.content == b"\xff"

    def object_id(self):
        content = self.is_(OBJECT_ID).content
        need(content and content[-1] < 0x80 and len(content) <= 64)
        arcs, arc, starts = [], 0, True
        for byte in content:
            need(not starts or byte != 0x80)
            arc, starts = arc << 7 | byte & 0x7f, byte < 0x80
            if starts:
                arcs.append(arc)
                arc = 0
        head = min(arcs[0] // 40, 2)
        return ".".join(map(str, (head, arcs[0] - 40 * head, *arcs[1:])))

    def time(self):
        """Unix seconds, and whether there is a fraction of a second."""
        form = {UTC_TIME: r"()(\d{2})(\d{10})()Z",
                GENERALIZED_TIME: r"(\d{2})(\d{2})(\d{10})(\.\d*[1-9])?Z"}.get(self.tag)
        text = self.content.decode("latin-1")
        match = form and re.fullmatch(form, text, re.ASCII)
        need(match)
        century, year, rest, fraction = match.groups()
        century = century or ("19" if year >= "50" else "20")
        try:
            moment = datetime.strptime(century + year + rest, "%Y%m%d%H%M%S")
        except ValueError:
            need(False)
        need(int(rest[-2:]) < 60)
        return calendar.timegm(moment.timetuple()), bool(fraction)

class Members:
    """The members of a sequence, in order."""

    def __init__(self, value, tag=SEQUENCE):
        self.left = value.members(tag)

    def next(self, tag=None):
        need(self.left)
        return self.left.pop(0) if tag is None else self.left.pop(0).is_(tag)

    def optional(self, tag):
        return self.left.pop(0) if self.left and self.left[0].tag == tag else None

    def end(self):
        need(not self.left)

def first(data):
    """The value at the beginning of `data`, and what follows it."""
    need(len(data) >= 2 and data[0] & 0x1f != 0x1f)
    length, start = data[1], 2
    if length >= 0x80:
        count = length & 0x7f
        digits = data[2:2 + count]
        need(1 <= count <= 3 and len(digits) == count and digits[0] != 0)
        length, start = int.from_bytes(digits, "big"), 2 + count
        need(length >= 0x80)
    end = start + length
    need(end <= len(data))
    return Value(data[0], data[start:end], data[:end]), data[end:]

def read(data):
    """The one value that `data` is, with all values inside in the one form that DER has."""
    value, rest = first(data)
    need(not rest)
    count, level = 0, [value]
    for _ in range(DEPTH_LIMIT + 1):
        count += len(level)
        for one in level:
            check_form(one)
        level = [inner for one in level if one.tag & 0x20 for inner in one.members()]
    need(not level and count <= VALUE_LIMIT)
    return value

def check_form(value):
    need(value.tag & 0xc0 or value.tag in SIMPLE or value.tag in (SEQUENCE, SET))
    if value.tag in (INTEGER, ENUMERATED):
        value.integer(value.tag)
    elif value.tag == NULL:
        need(not value.content)
    else:
        read_form = {BOOLEAN: Value.boolean, BITS: Value.bits, OBJECT_ID: Value.object_id}
        read_form.get(value.tag, id)(value)

def extensions(value, tag=SEQUENCE):
    """By identifier: whether it is critical, and its value as DER."""
    found = {}
    for extension in value.members(tag):
        parts = Members(extension)
        object_id, critical, content = (
            parts.next().object_id(), parts.optional(BOOLEAN), parts.next().octets())
        parts.end()
        need(object_id not in found and (critical is None or critical.boolean()))
        found[object_id] = critical is not None, content
    return found

def encode(tag, *contents):
    content = b"".join(contents)
    length, size = len(content), (len(content).bit_length() + 7) // 8
    header = bytes([length]) if length < 0x80 else bytes([0x80 | size]) + length.to_bytes(size, "big")
    return bytes([tag]) + header + content

def algorithm(value):
    """The identifier of an AlgorithmIdentifier and its parameters, None if absent."""
    parts = value.members(SEQUENCE)
    need(1 <= len(parts) <= 2)
    return parts[0].object_id(), parts[1] if len(parts) == 2 else None
