import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { type Bytes, concat, hexOf, utf8 } from "../../../../src/base/bytes.ts";
import { hasCode } from "../../../../src/base/errors.ts";
import {
  applyOperation,
  OPERATION_TAG,
  type OtsAttestation,
  unary,
} from "../../../../src/gateway/anchors/opentimestamps/items.ts";
import {
  decodeTimestamp,
  decodeTimestampFile,
  encodeTimestamp,
  encodeTimestampFile,
  mergeTimestamps,
  type Timestamp,
  timestampOf,
  visitMessages,
} from "../../../../src/gateway/anchors/opentimestamps/format.ts";
import {
  otsInteger,
  OtsReader,
  otsSized,
} from "../../../../src/gateway/anchors/opentimestamps/reader.ts";
import { vectorTest } from "../../../vectors.ts";
import { bytes, timestamps } from "./arbitraries.ts";

const MALFORMED = { code: "malformed_text" };
const MESSAGE = new Uint8Array(32).fill(0x2e);
const PENDING = Uint8Array.fromHex("0083dfe30d2ef90c8e0706") as Bytes;

const hex = (text: string): Bytes => Uint8Array.fromHex(text.replaceAll(" ", ""));
const pending = (uri: string): Bytes => concat(PENDING, utf8(uri));
const FOOBAR = pending("foobar");

/** Every attestation with its message, as `<hex> <what>`. */
function attested(digest: Bytes, timestamp: Timestamp): string[] {
  const found: string[] = [];
  visitMessages(digest, timestamp, (message, { attestations }) => {
    for (const one of attestations) found.push(`${hexOf(message)} ${named(one)}`);
  });
  return found;
}

function named(attestation: OtsAttestation): string {
  if (attestation.kind === "pending") return attestation.uri;
  if (attestation.kind === "unknown") {
    return `${hexOf(attestation.tag)} ${new TextDecoder().decode(attestation.payload)}`;
  }
  return `${attestation.kind} ${attestation.height}`;
}

const ALICE = "https://alice.btc.calendar.opentimestamps.org";
const BOB = "https://bob.btc.calendar.opentimestamps.org";
const UNKNOWN = `0102030405060708 ${"x".repeat(46)}`;
const MERKLE = [
  "57d982df8b35bc0a91a93d6d17e0162868dc123bc8b1bbfab22af9268f7fea70376b5cb0b1f26e2e55590477 " +
  ALICE,
  "57d982e0a2181eb7fd470600d82119b73d7ae5da2d8c84db7d55fd45b568fac036d86f906644ef713071762a " +
  BOB,
];

/** What each example of the reference client attests, as its `ots info` shows it. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  "bad-stamp.txt": [
    "921f81b9147c9aebe712d7805d810cf0f762479967e4c26008178277b89db41b bitcoin 358391",
  ],
  "different-blockchains.txt": [
    "58b93f93416084d8c6e7ad0a6df1e4b789feffcbbb496280996e0681c10602db2656648d2035d407feee535c " +
    "https://eth.ots.eternitywall.com",
    "c0909480bbefeca8c607fd169df2f57c7ec95e4c53484f24d73130c428fb208c ethereum 3283713",
    "58b93f945ddc124a2779e5b9d502d192e65551231a772f5fa977d88f78c8ecba779031f5c0de8cff8565eb37 " +
    "https://ots.eternitywall.it",
    "9ae69a8ba5bb6eadb6feaa4c9b58495819623a9bb616a5eebab10ff02c19192a bitcoin 455605",
  ],
  "empty": ["715b7e36276a66d842e56dd102c9d9eddfe4d9f2dfa908ae31157ac2c2fd29db bitcoin 129405"],
  "hello-world.txt": [
    "007ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a bitcoin 358391",
  ],
  "incomplete.txt": [
    "57cfa5c46716df9bd9e83595bce439c58108d8fcc1678f30d4c6731c3f1fa6c79ed712c66fb1ac8d4e4eb0e7 " +
    ALICE,
  ],
  "known-and-unknown-notary.txt": [
    "57e89f38173f127e0e8832929232858ca0b7241229d535b22073144a1a433b5aaa5d6cf473c6dc4d0cbc29f0 " +
    BOB,
    "57e89f37c0b849c680f7c6e13c719a3bfa96ce53c83095eca7c5a244ca991aeebbc87a4e62df56371ae23d8d " +
    UNKNOWN,
  ],
  "merkle1.txt": MERKLE,
  "merkle2.txt": MERKLE,
  "merkle3.txt": MERKLE,
  "two-calendars.txt": [
    "57d46515fdd8c2334c77b1f204338bb2178d73e523988d7dcda13259d3a099f31623755deadd66b1688d5574 " +
    ALICE,
    "57d4651676e9ac3b3b57c1584828ea5162979c96483a03c87c69a1b8614d1cbaf387e0f5647b90ea1b270a97 " +
    BOB,
  ],
  "unknown-notary.txt": [
    `57e89d286d747eb37844e2f7a3e47f883487015a068004e8763af2e68e22f5bc558c3b72fd28d6202633185c ` +
    UNKNOWN,
  ],
};

for (const [name, expected] of Object.entries(EXAMPLES)) {
  vectorTest(`${name}.ots is written again byte for byte`, `opentimestamps/${name}.ots`, (file) => {
    const read = decodeTimestampFile(file);
    assert.deepEqual(attested(read.digest, read.timestamp), expected);
    assert.equal(read.hash, OPERATION_TAG.sha256);
    assert.deepEqual(encodeTimestampFile(read), file);
  });
}

vectorTest("hello-world.txt.ots is of its file", "opentimestamps/hello-world.txt.ots", (file) => {
  const digest = createHash("sha256").update("Hello World!\n").digest("hex");
  assert.equal(hexOf(decodeTimestampFile(file).digest), digest);
});

const INVALID: Readonly<Record<string, RegExp>> = {
  "bad-major-version": /unknown version 1151$/,
  "exceeds-max-msg-length": /a message is longer than 4096 bytes$/,
  "invalid-file-digest-type": /operation 243 computes no digest$/,
};

for (const [name, message] of Object.entries(INVALID)) {
  vectorTest(`${name}.ots is refused`, `opentimestamps/invalid/${name}.ots`, (file) => {
    assert.throws(() => decodeTimestampFile(file), { ...MALFORMED, message });
  });
}

Deno.test("decodeTimestampFile() and encodeTimestampFile() agree with the reference's examples", () => {
  const texts = [
    FOOBAR,
    concat(hex("ff"), pending("barfoo"), FOOBAR),
    concat(hex("ff"), pending("barfoo"), hex("ff"), FOOBAR, pending("foobaz")),
    concat(
      hex("ff"),
      pending("barfoo"),
      hex("ff"),
      FOOBAR,
      hex("ff"),
      pending("foobaz"),
      hex("08"),
      pending("deeper"),
    ),
  ];
  for (const text of texts) {
    assert.deepEqual(encodeTimestamp(decodeTimestamp(text, utf8("foo"))), text);
  }
});

Deno.test("applyOperation() agrees with the reference", () => {
  const of = (tag: number, argument = "") =>
    hexOf(applyOperation({ tag, argument: hex(argument) }, utf8("abc")));
  const hashed = (name: string) => createHash(name).update("abc").digest("hex");
  assert.equal(of(OPERATION_TAG.sha1), hashed("sha1"));
  assert.equal(of(OPERATION_TAG.ripemd160), hashed("rmd160"));
  assert.equal(of(OPERATION_TAG.sha256), hashed("sha256"));
  assert.equal(
    of(OPERATION_TAG.keccak256),
    "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
  );
  assert.equal(of(OPERATION_TAG.append, "ff"), "616263ff");
  assert.equal(of(OPERATION_TAG.prepend, "ff"), "ff616263");
  assert.equal(of(OPERATION_TAG.reverse), "636261");
  assert.equal(of(OPERATION_TAG.hexlify), "363136323633");
});

Deno.test("messages and results have at most 4,096 bytes", () => {
  const longest = new Uint8Array(4096);
  const append = { tag: OPERATION_TAG.append, argument: new Uint8Array(1) };
  assert.equal(applyOperation(append, longest.slice(1)).length, 4096);
  assert.throws(() => applyOperation(append, longest), MALFORMED);
  const hexlify = unary(OPERATION_TAG.hexlify);
  assert.equal(applyOperation(hexlify, longest.slice(0, 2048)).length, 4096);
  assert.throws(() => applyOperation(hexlify, longest.slice(0, 2049)), MALFORMED);
  for (const tag of [OPERATION_TAG.hexlify, OPERATION_TAG.reverse]) {
    assert.throws(() => applyOperation(unary(tag), new Uint8Array()), MALFORMED);
  }
  assert.throws(
    () => applyOperation(unary(OPERATION_TAG.sha256), new Uint8Array(4097)),
    MALFORMED,
  );
});

Deno.test("a path has at most 256 messages", () => {
  const path = (length: number) => concat(new Uint8Array(length).fill(0x08), FOOBAR);
  assert.ok(decodeTimestamp(path(255), MESSAGE));
  assert.throws(() => decodeTimestamp(path(256), MESSAGE), MALFORMED);
});

Deno.test("a timestamp has at most 4 MiB of messages", () => {
  const longest = new Uint8Array(4096);
  // Each path reverses it 250 times, which takes 250 bytes of the file.
  const paths = (count: number) =>
    concat(
      ...Array.from({ length: count }, (_, i) =>
        concat(
          hex(i < count - 1 ? "ff" : ""),
          concat(hex("f0 01"), new Uint8Array([i])),
          new Uint8Array(250).fill(0xf2),
          FOOBAR,
        )),
    );
  assert.ok(decodeTimestamp(paths(4), longest.slice(1)));
  assert.throws(() => decodeTimestamp(paths(5), longest.slice(1)), {
    ...MALFORMED,
    message: /more than 4194304 bytes of messages/,
  });
});

const REFUSED: readonly (readonly [string, Bytes])[] = [
  ["nothing", hex("")],
  ["only a fork", hex("ff")],
  ["a fork of a fork", concat(hex("ff ff"), FOOBAR, FOOBAR)],
  ["a fork with one side", concat(hex("ff"), FOOBAR)],
  ["an unknown operation", concat(hex("04"), FOOBAR)],
  ["bytes behind the end", concat(FOOBAR, hex("00"))],
  ["a cut attestation", FOOBAR.slice(0, -1)],
  ["a cut tag", FOOBAR.slice(0, 5)],
  ["an append of nothing", concat(hex("f0 00"), FOOBAR)],
  ["an append of 4,097 bytes", concat(hex("f0 8120"), new Uint8Array(4097), FOOBAR)],
  ["a length in two bytes that fits one", concat(hex("f0 8100 aa"), FOOBAR)],
  ["the same attestation twice", concat(hex("ff"), FOOBAR, FOOBAR)],
  ["the same operation twice", concat(hex("ff 08"), FOOBAR, hex("08"), pending("barfoo"))],
  ["a URI with a query", concat(PENDING, utf8("foo?ar"))],
  ["a URI with a login", concat(PENDING, utf8("foo@ar"))],
  ["a URI that is no text", concat(PENDING, hex("666f6f80ffff"))],
  ["a URI shorter than its payload", concat(hex("0083dfe30d2ef90c8e0705"), utf8("foobar"))],
  ["a height and more", hex("00 0588960d73d71901 02 0100")],
  ["a height in two bytes that fits one", hex("00 0588960d73d71901 02 8100")],
  ["a height without an end", hex("00 0588960d73d71901 01 81")],
  ["a payload of 8,193 bytes", concat(hex("00 0102030405060708 8140"), new Uint8Array(8193))],
];

for (const [name, text] of REFUSED) {
  Deno.test(`${name} is refused`, () => {
    assert.throws(() => decodeTimestamp(text, MESSAGE), MALFORMED);
  });
}

Deno.test("each refused example differs from an accepted one in one point", () => {
  const uri = utf8("a".repeat(1000));
  const accepted = [
    concat(hex("f0 8020"), new Uint8Array(4096).fill(1), FOOBAR),
    hex("00 0588960d73d71901 01 01"),
    concat(hex("00 0102030405060708 8040"), new Uint8Array(8192)),
    concat(hex("00 83dfe30d2ef90c8e ea07 e807"), uri),
    concat(hex("00 83dfe30d2ef90c8e 01 00")),
  ];
  for (const text of accepted) {
    assert.deepEqual(encodeTimestamp(decodeTimestamp(text, new Uint8Array())), text);
  }
  const longer = concat(hex("00 83dfe30d2ef90c8e eb07 e907"), uri, utf8("a"));
  assert.throws(() => decodeTimestamp(longer, MESSAGE), MALFORMED);
});

Deno.test("decodeTimestamp() takes items in any order, decodeTimestampFile() in one", () => {
  const sorted = concat(hex("ff"), pending("barfoo"), FOOBAR);
  const unsorted = concat(hex("ff"), FOOBAR, pending("barfoo"));
  assert.deepEqual(encodeTimestamp(decodeTimestamp(unsorted, MESSAGE)), sorted);
  const digest = MESSAGE;
  const file = encodeTimestampFile({
    hash: OPERATION_TAG.sha256,
    digest,
    timestamp: decodeTimestamp(sorted, digest),
  });
  const head = file.slice(0, -sorted.length);
  assert.ok(decodeTimestampFile(concat(head, sorted)));
  assert.throws(() => decodeTimestampFile(concat(head, unsorted)), MALFORMED);
});

Deno.test("compareAttestations() orders heights as numbers and URIs without their length", () => {
  const at = (height: number): OtsAttestation => ({ kind: "bitcoin", height });
  const by = (uri: string): OtsAttestation => ({ kind: "pending", uri });
  assert.deepEqual(
    timestampOf([by("b"), at(128), by("ab"), at(1), at(300)]).attestations,
    [at(1), at(128), at(300), by("ab"), by("b")],
  );
  // In LEB128 300 is ac02 and 128 is 8001, but 16,384 (808001) would stand before both.
  assert.deepEqual(timestampOf([at(16_384), at(300)]).attestations, [at(300), at(16_384)]);
});

Deno.test("integer() accepts one encoding of each integer below 2^53", () => {
  fc.assert(fc.property(fc.maxSafeNat(), (value) => {
    const reader = new OtsReader(otsInteger(value));
    assert.equal(reader.integer(), value);
    reader.end();
  }));
  for (const text of ["8000", "ff00", "80808080808080 10", "ffffffffffffff 10", "80".repeat(200)]) {
    assert.throws(() => new OtsReader(hex(`${text}01`)).integer(), MALFORMED, text);
  }
  assert.equal(new OtsReader(hex("ffffffffffffff 0f")).integer(), Number.MAX_SAFE_INTEGER);
  assert.deepEqual(otsSized(new Uint8Array(128)).slice(0, 2), hex("8001"));
});

Deno.test("decodeTimestampFile() inverts encodeTimestampFile()", () => {
  fc.assert(fc.property(timestamps, bytes(1, 64), (timestamp, message) => {
    const text = encodeTimestamp(timestamp);
    const read = decodeTimestamp(text, message);
    assert.deepEqual(read, timestamp);
    assert.deepEqual(encodeTimestamp(read), text);
  }));
});

Deno.test("mergeTimestamps() is commutative, associative and idempotent", () => {
  fc.assert(fc.property(timestamps, timestamps, timestamps, bytes(1, 64), (a, b, c, message) => {
    const whole = mergeTimestamps(mergeTimestamps(a, b), c);
    assert.deepEqual(mergeTimestamps(a, a), a);
    assert.deepEqual(mergeTimestamps(b, a), mergeTimestamps(a, b));
    assert.deepEqual(mergeTimestamps(a, mergeTimestamps(b, c)), whole);
    const all = new Set([a, b, c].flatMap((one) => attested(message, one)));
    assert.deepEqual(new Set(attested(message, whole)), all);
    assert.deepEqual(decodeTimestamp(encodeTimestamp(whole), message), whole);
  }));
});

Deno.test("damaged bytes are refused or encode another timestamp", () => {
  fc.assert(
    fc.property(timestamps, bytes(1, 64), fc.nat(), fc.nat(), (timestamp, message, at, by) => {
      const text = encodeTimestamp(timestamp);
      text[at % text.length]! ^= 1 + by % 255;
      try {
        assert.notDeepEqual(decodeTimestamp(text, message), timestamp);
      } catch (error) {
        if (!hasCode(error, "malformed_text")) throw error;
      }
    }),
  );
});
