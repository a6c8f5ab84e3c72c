import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type Bytes, concat, hexOf, utf8 } from "../../../../src/base/bytes.ts";
import { MAX_PROOF_BYTES } from "../../../../src/gateway/anchors/answers.ts";
import { opentimestamps } from "../../../../src/gateway/anchors/opentimestamps/provider.ts";
import {
  OPERATION_TAG,
  type OtsAttestation,
  unary,
} from "../../../../src/gateway/anchors/opentimestamps/items.ts";
import {
  BitcoinHeaders,
  EASIEST_TARGET,
} from "../../../../src/gateway/anchors/opentimestamps/bitcoin.ts";
import {
  decodeTimestampFile,
  encodeTimestampFile,
  MAX_FILE_LENGTH,
  otsProof,
  parseOtsProof,
  type Timestamp,
  timestampOf,
} from "../../../../src/gateway/anchors/opentimestamps/format.ts";
import { verifyOpenTimestamps } from "../../../../src/gateway/anchors/opentimestamps/verify.ts";
import type { AnchorVerdict } from "../../../../src/gateway/anchors/ports.ts";
import type { AnchorProgress } from "../../../../src/proof/format/records.ts";
import { vectorTest } from "../../../vectors.ts";
import { doubleSha256, mine, mineChain, REGTEST_TARGET, shownHash } from "./bitcoin_miner.ts";

const DIGEST = new Uint8Array(createHash("sha256").update("checkpoint").digest());
const HASHED = new Uint8Array(createHash("sha256").update(DIGEST).digest());
const OTHER = new Uint8Array(32).fill(9);
const TIME = 1_800_000_000;
const HEIGHT = 900_000;

const bitcoin = (height: number): OtsAttestation => ({ kind: "bitcoin", height });
const pending = (uri: string): OtsAttestation => ({ kind: "pending", uri });
const hashed = (...attestations: OtsAttestation[]): Timestamp =>
  timestampOf([], [{
    operation: unary(OPERATION_TAG.sha256),
    next: timestampOf(attestations),
  }]);

/** Lines of headers from `height` on, one each. */
function lines(height: number, ...headers: Bytes[]): Bytes {
  return utf8(headers.map((header, i) => `${height + i} ${hexOf(header)}\n`).join(""));
}

/** What comes of `timestamp` of the digest, at the difficulty of a chain for tests. */
function verdictOf(
  timestamp: Timestamp,
  roots: readonly Bytes[],
  { status = "confirmed", target = REGTEST_TARGET }: {
    readonly status?: AnchorProgress;
    readonly target?: bigint;
  } = {},
): AnchorVerdict {
  const claim = {
    digest: DIGEST,
    status,
    timestamp: 1,
    proof: otsProof(DIGEST, timestamp),
    roots,
  } as const;
  return verifyOpenTimestamps(claim, target);
}

function assertVerdict(verdict: AnchorVerdict, status: string, reason: RegExp): void {
  assert.equal(verdict.status, status, JSON.stringify(verdict));
  assert.match(verdict.status === "verified" ? verdict.source : verdict.reason, reason);
}

const BLOCK = mine({ merkleRoot: HASHED, time: TIME });

Deno.test("verifyOpenTimestamps() accepts a path to a block's Merkle root, two hours after its time", () => {
  assert.deepEqual(verdictOf(hashed(bitcoin(HEIGHT)), [lines(HEIGHT, BLOCK)]), {
    status: "verified",
    notAfter: TIME + 7200,
    source: `Bitcoin block ${HEIGHT} (hash ${shownHash(BLOCK)})`,
  });
});

Deno.test("of several blocks the earliest time counts", () => {
  const earlier = mine({ merkleRoot: HASHED, time: TIME - 86_400 });
  const timestamp = hashed(
    bitcoin(HEIGHT),
    bitcoin(HEIGHT + 5),
    bitcoin(HEIGHT + 9),
    bitcoin(HEIGHT + 10),
    pending("https://calendar.example"),
  );
  const roots = [
    lines(HEIGHT, BLOCK),
    lines(HEIGHT + 5, earlier),
    lines(HEIGHT + 9, mine({ merkleRoot: OTHER, time: 5 })),
  ];
  const verdict = verdictOf(timestamp, roots);
  assertVerdict(verdict, "verified", new RegExp(`^Bitcoin block ${HEIGHT + 5} `));
  assert.equal(verdict.status === "verified" && verdict.notAfter, TIME - 86_400 + 7200);
});

Deno.test("a different Merkle root fails the proof in either byte order", () => {
  for (const merkleRoot of [OTHER, HASHED.toReversed(), DIGEST]) {
    const roots = [lines(HEIGHT, mine({ merkleRoot, time: TIME }))];
    assertVerdict(verdictOf(hashed(bitcoin(HEIGHT)), roots), "failed", /another Merkle root/);
  }
});

Deno.test("a proof without the header of its block is not checked", () => {
  for (const roots of [[], [lines(HEIGHT + 1, BLOCK)], [lines(HEIGHT - 1, BLOCK)]]) {
    assertVerdict(
      verdictOf(hashed(bitcoin(HEIGHT), bitcoin(7)), roots),
      "not_checked",
      new RegExp(`^no header of Bitcoin block 7 or ${HEIGHT}$`),
    );
  }
});

Deno.test("a pending proof names its calendars and is not confirmed", () => {
  const timestamp = hashed(pending("https://b.example"), pending("https://a.example"));
  assertVerdict(
    verdictOf(timestamp, [], { status: "pending" }),
    "not_checked",
    /^pending at https:\/\/a\.example, https:\/\/b\.example$/,
  );
  assertVerdict(
    verdictOf(timestamp, [lines(HEIGHT, BLOCK)]),
    "failed",
    /^its status is confirmed, but/,
  );
  const others = hashed({ kind: "litecoin", height: 1 }, { kind: "ethereum", height: 1 });
  assertVerdict(verdictOf(others, [], { status: "pending" }), "not_checked", /^no attestation/);
  // A gateway that waits for more calendars shows what it has.
  const some = hashed(bitcoin(HEIGHT), pending("https://a.example"));
  assertVerdict(
    verdictOf(some, [lines(HEIGHT, BLOCK)], { status: "pending" }),
    "verified",
    /^Bitcoin block/,
  );
});

Deno.test("a header without its work is refused", () => {
  const idle = mine({ merkleRoot: HASHED, time: TIME, isIdle: true });
  const verdict = (header: Bytes, target?: bigint) =>
    verdictOf(hashed(bitcoin(HEIGHT)), [lines(HEIGHT, header)], target ? { target } : {});
  assertVerdict(verdict(idle), "not_checked", /above its target 7fffff/);
  assertVerdict(verdict(BLOCK, REGTEST_TARGET - 1n), "not_checked", /easier than 7ffffe/);
  assertVerdict(verdict(BLOCK, EASIEST_TARGET), "not_checked", /easier than 0{18}ffff0/);
  // A negative target, and one of more than 256 bits.
  for (const bits of [0x20ffffff, 0xff7fffff]) {
    const header = mine({ merkleRoot: HASHED, time: TIME, bits });
    assertVerdict(
      verdict(header),
      "not_checked",
      /block 900000 has (hash|target)/,
    );
  }
});

Deno.test("neighboring headers have to form one chain", () => {
  const roots = [OTHER, HASHED, OTHER, OTHER];
  const chain = mineChain(roots, TIME) as [Bytes, Bytes, Bytes, Bytes];
  const at = HEIGHT - 1;
  const verdict = (...headers: Bytes[]) =>
    verdictOf(hashed(bitcoin(HEIGHT)), [lines(at, ...headers)]);
  assertVerdict(verdict(...chain), "verified", /^Bitcoin block 900000 /);
  const [before, block, after, last] = chain;
  const stray = mine({ merkleRoot: OTHER, time: TIME + 1 });
  assertVerdict(
    verdict(stray, block, after, last),
    "not_checked",
    /block 900000 does not follow block 899999/,
  );
  assertVerdict(
    verdict(before, block, stray),
    "not_checked",
    /block 900001 does not follow block 900000/,
  );
  assertVerdict(
    verdict(before, block, after, mine({ merkleRoot: OTHER, time: TIME })),
    "not_checked",
    /block 900002 does not follow block 900001/,
  );
  const idle = mine({
    merkleRoot: OTHER,
    time: TIME,
    previous: doubleSha256(block),
    isIdle: true,
  });
  assertVerdict(verdict(before, block, idle), "not_checked", /block 900001 has hash/);
});

Deno.test("a line holds several headers, and several files form one chain", () => {
  const chain = mineChain([OTHER, HASHED, OTHER], TIME);
  const line = utf8(`${HEIGHT - 1} ${chain.map(hexOf).join("")}`);
  const timestamp = hashed(bitcoin(HEIGHT));
  assertVerdict(verdictOf(timestamp, [line]), "verified", /^Bitcoin block 900000 /);
  const again = lines(HEIGHT, chain[1]!);
  assertVerdict(verdictOf(timestamp, [line, again]), "verified", /^Bitcoin block 900000 /);
  assertVerdict(
    verdictOf(timestamp, [line, lines(HEIGHT, BLOCK)]),
    "not_checked",
    /the files disagree on block 900000/,
  );
});

Deno.test("a file without headers is refused", () => {
  const hex = hexOf(BLOCK);
  const texts = [
    "",
    "\n",
    hex,
    `${HEIGHT} ${hex.slice(2)}`,
    `${HEIGHT} ${hex.toUpperCase()}`,
    `${HEIGHT}  ${hex}`,
    `0${HEIGHT} ${hex}`,
    `-1 ${hex}`,
    `${HEIGHT} ${hex}\r\n`,
    `${HEIGHT} ${hex}\n\n`,
    `${HEIGHT} ${hex}\n${HEIGHT} ${hex}\n`,
    `1000000000 ${hex}`,
  ];
  const timestamp = hashed(bitcoin(HEIGHT));
  for (const file of [...texts.map(utf8), BLOCK, new Uint8Array(80), new Uint8Array([0xff])]) {
    const { status } = verdictOf(timestamp, [file]);
    assert.equal(status, "not_checked", hexOf(file).slice(0, 60));
  }
  assertVerdict(verdictOf(timestamp, [utf8(`${HEIGHT} ${hex}`)]), "verified", /^Bitcoin block/);
});

// The first two headers of Bitcoin.
const GENESIS = Uint8Array.fromHex(
  "01000000" + "00".repeat(32) +
    "3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a" +
    "29ab5f49ffff001d1dac2b7c",
) as Bytes;
const SECOND = Uint8Array.fromHex(
  "010000006fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000" +
    "982051fd1e4ba744bbbe680e1fee14677ba1a3c3540bf7b1cdb606e857233e0e61bc6649ffff001d01e36299",
) as Bytes;
const DIFFICULTY_1 = 0xffffn << 208n;

Deno.test("a raw file holds all headers from the genesis block on", () => {
  const headers = new BitcoinHeaders([concat(GENESIS, SECOND)], DIFFICULTY_1);
  assert.equal(
    headers.blockAt(1)?.hash,
    "00000000839a8e6886ab5951d76f411475428afc90947ee320161bbf18eb6048",
  );
  assert.equal(headers.blockAt(1)?.time, 1_231_469_665);
  headers.requireChained(1);
  headers.requireChained(0);
  assert.equal(headers.blockAt(2), undefined);
  assert.throws(() => new BitcoinHeaders([concat(SECOND, GENESIS)]), { code: "malformed_text" });
  assert.throws(() => new BitcoinHeaders([concat(GENESIS, SECOND).slice(0, -1)]), {
    code: "malformed_text",
  });
  // Of that difficulty anyone makes headers.
  assert.throws(() => new BitcoinHeaders([concat(GENESIS, SECOND)]).blockAt(1), {
    code: "malformed_text",
  });
});

/** The header of Bitcoin's block 358,391, as every node has it: its hash shows that it is no other. */
const BLOCK_358391 = Uint8Array.fromHex(
  "02000000b96394585a281b7e5f438fd1c9ed492645a1fd61cb380204000000000000000000" +
    "7ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a1e376755f58616186272def6",
) as Bytes;
const TARGET_358391 = 0x1686f5n << 168n;

function example(file: Bytes, roots: readonly Bytes[], target?: bigint): AnchorVerdict {
  const { digest, timestamp } = decodeTimestampFile(file);
  const proof = otsProof(digest, timestamp);
  return verifyOpenTimestamps({ digest, status: "confirmed", timestamp: 1, proof, roots }, target);
}

vectorTest(
  "hello-world.txt.ots is verified against the real header of its block",
  "opentimestamps/hello-world.txt.ots",
  (file) => {
    assert.deepEqual(example(file, [lines(358_391, BLOCK_358391)], TARGET_358391), {
      status: "verified",
      notAfter: 1_432_827_678 + 7200,
      source: "Bitcoin block 358391 " +
        "(hash 000000000000000003e892881a8cdcdc117c06d444057c98b6f04a9ee75a2319)",
    });
    // It is of 2015, before anything was anchored by a gateway of ours.
    assertVerdict(
      example(file, [lines(358_391, BLOCK_358391)]),
      "not_checked",
      /block 358391 has target .* easier than/,
    );
  },
);

vectorTest(
  "bad-stamp.txt.ots fails against the real header of its block",
  "opentimestamps/bad-stamp.txt.ots",
  (file) =>
    assertVerdict(
      example(file, [lines(358_391, BLOCK_358391)], TARGET_358391),
      "failed",
      /^the header of Bitcoin block 358391 has another Merkle root$/,
    ),
);

Deno.test("parseOtsProof() accepts one file of the digest and no other member", async () => {
  const file = (digest: Bytes, hash: number = OPERATION_TAG.sha256) =>
    encodeTimestampFile({ hash, digest, timestamp: hashed(bitcoin(HEIGHT)) }).toBase64();
  const proofs = [
    null,
    [],
    "",
    {},
    { ots: 1 },
    { ots: "" },
    { ots: "!" },
    { ots: file(DIGEST), more: 1 },
    { more: file(DIGEST) },
    { ots: ` ${file(DIGEST)}` },
    { ots: file(OTHER) },
    { ots: file(DIGEST, OPERATION_TAG.keccak256) },
    { ots: file(DIGEST.slice(0, 20), OPERATION_TAG.sha1) },
    { ots: "A".repeat(60_000) },
  ];
  const roots = [lines(HEIGHT, BLOCK)];
  const verify = (proof: unknown) =>
    verifyOpenTimestamps({
      digest: DIGEST,
      status: "confirmed",
      timestamp: 1,
      proof: proof as null,
      roots,
    }, REGTEST_TARGET);
  for (const proof of proofs) {
    assert.equal(verify(proof).status, "failed", JSON.stringify(proof).slice(0, 60));
    assert.throws(() => opentimestamps.files(DIGEST, proof as null), { code: "malformed_text" });
  }
  const proof = { ots: file(DIGEST) };
  assert.equal(verify(proof).status, "verified");
  const [saved] = opentimestamps.files(DIGEST, proof);
  assert.equal(saved?.extension, ".ots");
  assert.equal(saved?.bytes.toBase64(), proof.ots);
  // What the program verifies with has the floor that no option lowers.
  const claim = { digest: DIGEST, status: "confirmed", timestamp: 1, proof, roots } as const;
  assertVerdict(await opentimestamps.verify(claim), "not_checked", /easier than 0{18}ffff/);
});

Deno.test("a proof with a changed byte does not verify", () => {
  const timestamp = hashed(bitcoin(HEIGHT));
  const file = encodeTimestampFile({ hash: OPERATION_TAG.sha256, digest: DIGEST, timestamp });
  const roots = [lines(HEIGHT, BLOCK)];
  const verify = (ots: Bytes) =>
    verifyOpenTimestamps({
      digest: DIGEST,
      status: "confirmed",
      timestamp: 1,
      proof: { ots: ots.toBase64() },
      roots,
    }, REGTEST_TARGET).status;
  assert.equal(verify(file), "verified");
  for (let at = 0; at < file.length; at++) {
    for (const bit of [0x01, 0x10, 0x80]) {
      const damaged = file.slice();
      damaged[at]! ^= bit;
      assert.notEqual(verify(damaged), "verified", `byte ${at}`);
    }
    assert.equal(verify(file.slice(0, at)), "failed");
  }
});

Deno.test("a header with a changed byte does not verify", () => {
  for (let at = 0; at < 80; at++) {
    const damaged = BLOCK.slice();
    damaged[at]! ^= 0x80;
    const timestamp = hashed(bitcoin(HEIGHT));
    const verdict = verdictOf(timestamp, [lines(HEIGHT, damaged)]);
    // At this difficulty half of all hashes are good: then it is the header of another block.
    if (verdict.status !== "verified") continue;
    assert.ok(at < 36 || at >= 68, `byte ${at} is of the Merkle root`);
    assert.ok(verdict.source.includes(shownHash(damaged)));
  }
});

Deno.test("the limit of a file stays below MAX_PROOF_BYTES", () => {
  const uris = Array.from({ length: 43 }, (_, i) => pending(`${i}`.padStart(999, "0")));
  const length = (timestamp: Timestamp) =>
    encodeTimestampFile({ hash: OPERATION_TAG.sha256, digest: DIGEST, timestamp }).length;
  const filled = (last: number) => timestampOf([...uris, pending("a".repeat(last))]);
  const rest = MAX_FILE_LENGTH - length(filled(200)) + 200;
  assert.equal(length(filled(rest)), MAX_FILE_LENGTH);
  const longest = otsProof(DIGEST, filled(rest));
  assert.ok(parseOtsProof(DIGEST, longest));
  const longer = otsProof(DIGEST, filled(rest + 1));
  assert.throws(() => parseOtsProof(DIGEST, longer), { code: "malformed_text" });
  assert.ok(JSON.stringify(longest).length < MAX_PROOF_BYTES);
});
