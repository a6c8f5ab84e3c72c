import assert from "node:assert/strict";
import { type Bytes, fromHex, utf8 } from "../../../src/base/bytes.ts";
import { leafHash } from "../../../src/proof/crypto/hashing.ts";
import { CountersignError } from "../../../src/base/errors.ts";
import { encodeAttestation } from "../../../src/proof/format/attestation.ts";
import type { ProofBundle } from "../../../src/proof/format/bundle.ts";
import { CborTag, encodeCbor } from "../../../src/proof/format/cbor.ts";
import { decodeCbor } from "../../../src/proof/format/cbor_reader.ts";
import {
  consistencyReceiptOf,
  coseReceiptOf,
  encodeCoseReceipt,
  isReceiptMessage,
  parseCoseReceipt,
} from "../../../src/proof/format/cose_receipt.ts";
import { headReceiptMessage } from "../../../src/proof/format/receipt_message.ts";
import { encodeCheckpointBody } from "../../../src/proof/format/tree_head.ts";
import { signedDomain } from "../../../src/proof/format/signed_text.ts";
import { type ReceiptSubject, verifyCoseReceipt } from "../../../src/proof/verify/cose_receipt.ts";
import { verifySignedTreeHead } from "../../../src/proof/verify/tree_head.ts";
import { IS_LONG } from "../../long_runs.ts";
import { foreignAccepts, foreignReceiptRoot } from "./foreign_receipts.ts";
import { TestLog } from "./test_log.ts";
import { digestOf, nativeCrypto, TestNetwork } from "./test_network.ts";
import { withReceiptSignature } from "./vectors/head_cases.ts";

const network = new TestNetwork("net.example/home");
const { publicKey } = network.log;
const log = new TestLog(network);
const COUNT = 13;
log.addRound(Array.from({ length: COUNT }, (_, i) => digestOf(`content ${i}`)), {
  timestamp: 1_766_275_200,
});
const sthOf = (size: number) => withReceiptSignature(log.sth(size, 1_766_275_300), network.log);

function bundleOf(sequence: number, size = COUNT): ProofBundle {
  return log.bundle(sequence, log.batchInclusion(sequence, sthOf(size)));
}

const receiptOf = (sequence: number, size = COUNT) =>
  coseReceiptOf(network.configuration, bundleOf(sequence, size));
const entryOf = (sequence: number) =>
  utf8(encodeAttestation(bundleOf(sequence).signed_attestation.attestation));
const rootOf = (size: number) => fromHex(log.sth(size, 0).tree_head.root_hash);
const growth = (first: number, second: number) =>
  consistencyReceiptOf(network.configuration, {
    first,
    sth: sthOf(second),
    path: log.consistencyPath(first, second),
  });

/** The reason of the refusal; `undefined` for a valid receipt. */
async function reasonOf(
  receipt: Uint8Array,
  subject: { readonly entry?: Bytes; readonly firstRoot?: Bytes },
  keys = [network.logKey],
): Promise<string | undefined> {
  const { entry, ...rest } = subject;
  const about: ReceiptSubject = entry === undefined
    ? rest
    : { leafHash: leafHash(nativeCrypto.kernels, entry) };
  try {
    const parsed = parseCoseReceipt(receipt);
    const result = await verifyCoseReceipt(nativeCrypto, keys, parsed, about);
    assert.equal(result.valid, result.reason === undefined);
    return result.reason;
  } catch (error) {
    if (error instanceof CountersignError) return error.code;
    throw error;
  }
}

Deno.test("a COSE library and we accept the receipt of every leaf in every tree, for its leaf alone", async () => {
  for (let size = 1; size <= COUNT; size++) {
    for (let sequence = 0; sequence < size; sequence++) {
      const receipt = receiptOf(sequence, size);
      const entry = entryOf(sequence);
      assert.deepEqual(await foreignReceiptRoot(publicKey, receipt, { entry }), rootOf(size));
      assert.equal(await reasonOf(receipt, { entry }), undefined);
      assert.deepEqual(parseCoseReceipt(receipt).entry, entry);
      const other = utf8("another entry");
      assert.equal(await foreignAccepts(publicKey, receipt, { entry: other }), false);
      assert.equal(await reasonOf(receipt, { entry: other }), "log_signature_invalid");
    }
  }
});

Deno.test("a COSE library and we accept the receipt of consistency of any two trees, and no other", async () => {
  for (let first = 1; first < COUNT; first++) {
    for (let second = first + 1; second <= COUNT; second++) {
      const receipt = growth(first, second);
      const firstRoot = rootOf(first);
      if (!Number.isInteger(Math.log2(first))) {
        const roots = { oldRoot: firstRoot, newRoot: rootOf(second) };
        assert.deepEqual(await foreignReceiptRoot(publicKey, receipt, roots), roots.newRoot);
        const wrong = { ...roots, oldRoot: rootOf(first + 1) };
        assert.equal(await foreignAccepts(publicKey, receipt, wrong), false);
      }
      assert.equal(await reasonOf(receipt, { firstRoot }), undefined);
      const reason = await reasonOf(receipt, { firstRoot: rootOf(first + 1) });
      assert.match(reason!, /^(consistency|log_signature)_invalid$/);
      assert.equal(await reasonOf(receipt, {}), "consistency_invalid");
    }
  }
});

Deno.test("a receipt is refused after any flip of any bit, and by a COSE library of any bit that counts", async () => {
  const entry = entryOf(4);
  const receipts = [
    { receipt: receiptOf(4), ours: { entry }, theirs: { entry } },
    {
      receipt: growth(5, 12),
      ours: { firstRoot: rootOf(5) },
      theirs: { oldRoot: rootOf(5), newRoot: rootOf(12) },
    },
  ];
  for (const { receipt, ours, theirs } of receipts) {
    const parsed = parseCoseReceipt(receipt);
    assert.equal(await foreignAccepts(publicKey, receipt, theirs), true);
    assert.equal(await reasonOf(receipt, ours), undefined);
    const accepted: number[] = [];
    // In short runs one or two of each byte.
    for (let bit = 0; bit < 8 * receipt.length; bit += IS_LONG ? 1 : 7) {
      const flipped = receipt.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      if (await foreignAccepts(publicKey, flipped, theirs)) accepted.push(bit >> 3);
      // We take the entry from the receipt.
      const subject = parsed.entry && { entry: entryIn(flipped) };
      const reason = await reasonOf(flipped, subject ?? ours);
      assert.notEqual(reason, undefined, `bit ${bit}`);
    }
    // RFC 9942 signs neither the sizes and the index nor further members of the unprotected header.
    const signed = [parsed.signature, parsed.keyId, ...parsed.proof.path].map((part) => [
      Buffer.from(receipt).indexOf(part),
      part.length,
    ]);
    const counts = (at: number) =>
      signed.some(([start, length]) => at >= start! && at < start! + length!);
    assert.ok(signed.every(([start]) => start! > 0));
    assert.deepEqual(accepted.filter(counts), []);
  }
});

/** The entry in the receipt; empty if the receipt cannot be read. */
function entryIn(receipt: Bytes): Bytes {
  try {
    return parseCoseReceipt(receipt).entry ?? new Uint8Array();
  } catch {
    return new Uint8Array();
  }
}

Deno.test("verifyCoseReceipt() names the first failed step", async () => {
  const receipt = receiptOf(4);
  const parsed = parseCoseReceipt(receipt);
  const entry = entryOf(4);
  const { path } = parsed.proof;
  const inclusion = { kind: "inclusion", size: COUNT, index: 4, path } as const;
  const other = new TestNetwork("net.example/other");
  const cases: readonly (readonly [string | undefined, Uint8Array])[] = [
    [undefined, encodeCoseReceipt(parsed)],
    ["log_key_missing", encodeCoseReceipt({ ...parsed, origin: "net.example/other" })],
    ["log_key_missing", encodeCoseReceipt({ ...parsed, keyId: fromHex("00000000") })],
    ["tree_size_mismatch", encodeCoseReceipt({ ...parsed, treeSize: COUNT + 1 })],
    [
      "tree_size_mismatch",
      encodeCoseReceipt({ ...parsed, proof: { ...inclusion, size: COUNT + 1 } }),
    ],
    ["inclusion_invalid", encodeCoseReceipt({ ...parsed, proof: { ...inclusion, index: COUNT } })],
    [
      "inclusion_invalid",
      encodeCoseReceipt({ ...parsed, proof: { ...inclusion, path: path.slice(1) } }),
    ],
    [
      "log_signature_invalid",
      encodeCoseReceipt({ ...parsed, proof: { ...inclusion, index: 5 } }),
    ],
    ["log_signature_invalid", encodeCoseReceipt({ ...parsed, signature: new Uint8Array(64) })],
  ];
  for (const [i, [reason, bytes]] of cases.entries()) {
    assert.equal(await reasonOf(bytes, { entry }), reason, `case ${i}`);
  }
  assert.equal(await reasonOf(receipt, { entry }, [other.logKey]), "log_key_missing");
  assert.equal(await reasonOf(receipt, {}), "inclusion_invalid");
});

Deno.test("one path leads to one root at two sizes: the signed size decides", async () => {
  // The last leaf of three, and the last of two whose first leaf is the node over the first two.
  const parsed = parseCoseReceipt(receiptOf(2, 3));
  const proof = { ...parsed.proof, kind: "inclusion", size: 2, index: 1 } as const;
  const entry = entryOf(2);
  const moved = encodeCoseReceipt({ ...parsed, proof });
  assert.equal(await reasonOf(moved, { entry }), "tree_size_mismatch");
  const lying = encodeCoseReceipt({ ...parsed, proof, treeSize: 2 });
  assert.equal(await reasonOf(lying, { entry }), "log_signature_invalid");
});

Deno.test("parseCoseReceipt() accepts one spelling", () => {
  const [header, unprotected, , signature] = (decodeCbor(receiptOf(4)) as CborTag).value as [
    Bytes,
    Map<number | string, never>,
    null,
    Bytes,
  ];
  const sign1 = (...parts: readonly unknown[]) =>
    encodeCbor(new CborTag(18, parts as readonly never[]));
  parseCoseReceipt(sign1(header, unprotected, null, signature));
  const withMember = (label: number | string, value: unknown) =>
    new Map([...unprotected, [label, value as never]]);
  const inclusion = unprotected.get(396)! as Map<number, Bytes[]>;
  const [proof] = inclusion.get(-1)!;
  const refused = [
    new Uint8Array(),
    receiptOf(4).slice(1),
    receiptOf(4).slice(0, -1),
    encodeCbor(new CborTag(98, [header, unprotected, null, signature])),
    sign1(header, unprotected, new Uint8Array(32), signature),
    sign1(header, unprotected, null, signature.slice(1)),
    sign1(header, unprotected, null, signature, null),
    sign1("header", unprotected, null, signature),
    sign1(header.slice(0, -1), unprotected, null, signature),
    sign1(header, withMember(1, -8), null, signature),
    sign1(header, withMember("countersign/entry", "text"), null, signature),
    sign1(header, withMember(396, new Map()), null, signature),
    sign1(header, withMember(396, new Map([[-1, [proof, proof]]])), null, signature),
    sign1(header, withMember(396, new Map([[-3, [proof]]])), null, signature),
    sign1(header, withMember(396, new Map([[-1, [encodeCbor([-1, 0, []])]]])), null, signature),
    sign1(header, withMember(396, new Map([[-1, [encodeCbor([1, 0, ["x"]])]]])), null, signature),
    sign1(encodeCbor(new Map([[1, -8]])), unprotected, null, signature),
  ];
  for (const [i, bytes] of refused.entries()) {
    assert.throws(() => parseCoseReceipt(bytes), { code: "malformed_text" }, `case ${i}`);
  }
});

Deno.test("a receipt message is not a checkpoint, and a signer distinguishes them", () => {
  const head = log.sth(COUNT, 1).tree_head;
  const message = headReceiptMessage(publicKey, head);
  assert.equal(message[0], 0x84);
  assert.throws(() => new TextDecoder("utf-8", { fatal: true }).decode(message));
  const key = { kind: "log", name: network.id } as const;
  assert.equal(signedDomain(key, message), "COSE Signature1");
  assert.equal(signedDomain(key, utf8(encodeCheckpointBody(head))), network.id);
  assert.equal(signedDomain({ kind: "witness", name: `${network.id}/w1` }, message), undefined);
  assert.equal(isReceiptMessage("net.example/other", message), false);
  for (const other of [message.slice(1), message.slice(0, -1), utf8("x"), new Uint8Array()]) {
    assert.equal(signedDomain(key, other), undefined);
  }
  const other = encodeCbor(["Signature", utf8(""), utf8(""), new Uint8Array(32)]);
  assert.equal(signedDomain(key, other), undefined);
});

Deno.test("verifySignedTreeHead() verifies the receipt signature", async () => {
  const sth = sthOf(COUNT);
  const verdictOf = async (signature: string) => {
    const changed = { ...sth, receipt_signature: signature };
    const { valid, reason, field } = await verifySignedTreeHead(
      nativeCrypto,
      network.configuration,
      changed,
    );
    return [valid, reason, field];
  };
  assert.deepEqual(await verdictOf(sth.receipt_signature!), [true, undefined, undefined]);
  const failed = [false, "log_signature_invalid", "receipt_signature"];
  assert.deepEqual(await verdictOf(sth.log_signature!), failed);
  assert.deepEqual(await verdictOf("0".repeat(128)), failed);
});

Deno.test("coseReceiptOf() needs a batch, and the log's key and signature", () => {
  const bundle = bundleOf(4);
  const { batch_inclusion: inclusion } = bundle;
  const { receipt_signature: _, ...sth } = inclusion!.sth;
  const { log_vkey: __, ...keyless } = network.configuration;
  const refused = (code: string, make: () => unknown) => assert.throws(make, { code });
  const unsigned = { ...bundle, batch_inclusion: { ...inclusion!, sth } };
  refused("malformed_text", () => coseReceiptOf(network.configuration, unsigned));
  refused("malformed_text", () => coseReceiptOf(keyless, bundle));
  const early = { ...bundle, batch_inclusion: null };
  refused("proof_refused", () => coseReceiptOf(network.configuration, early));
});
