/**
 * COSE receipts, as their bytes in hex.
 *
 * @module
 */

import { type Bytes, concat, fromHex, hexOf, utf8 } from "../../../../src/base/bytes.ts";
import { leafHash } from "../../../../src/proof/crypto/hashing.ts";
import { portableKernels } from "../../../../src/proof/crypto/portable_kernels.ts";
import { encodeAttestation } from "../../../../src/proof/format/attestation.ts";
import { CborTag, type CborValue, encodeCbor } from "../../../../src/proof/format/cbor.ts";
import { decodeCbor } from "../../../../src/proof/format/cbor_reader.ts";
import {
  consistencyReceiptOf,
  coseReceiptOf,
  encodeCoseReceipt,
  parseCoseReceipt,
} from "../../../../src/proof/format/cose_receipt.ts";
import { digestOf } from "../test_network.ts";
import { withReceiptSignature } from "./head_cases.ts";
import type { Vector } from "./vector.ts";
import { BATCH_SIZE, HEAD_TIME, homes, LOG_SIZE, PREVIOUS_SIZE, SEQUENCE } from "./world.ts";

const ENTRY = "countersign/entry";

type Parts = readonly [Bytes, Map<number | string, CborValue>, null, Bytes];

export function receiptCases(): Vector[] {
  const { network, log } = homes.ed25519;
  const { configuration } = network;
  const headOf = (size: number) => withReceiptSignature(log.sth(size, HEAD_TIME), network.log);
  const inclusionOf = (sequence: number, size: number) =>
    coseReceiptOf(configuration, log.bundle(sequence, log.batchInclusion(sequence, headOf(size))));
  const growth = (first: number, second: number) =>
    consistencyReceiptOf(configuration, {
      first,
      sth: headOf(second),
      path: log.consistencyPath(first, second),
    });
  const make = (name: string, receipt: Uint8Array, rest: Partial<Vector> = {}): Vector => ({
    name: `COSE receipt: ${name}`,
    kind: "cose_receipt",
    network: "ed25519",
    input: hexOf(receipt),
    ...rest,
  });
  const good = inclusionOf(SEQUENCE, BATCH_SIZE);
  const parsed = parseCoseReceipt(good);
  const { attestation } = log.attestations[SEQUENCE]!;
  const entry = utf8(encodeAttestation(attestation));
  const { entry: _, ...bare } = parsed;
  const proof = { ...parsed.proof, kind: "inclusion", index: SEQUENCE } as const;
  const other = utf8(encodeAttestation({ ...attestation, sequence: SEQUENCE + 1 }));
  const leaf = hexOf(leafHash(portableKernels, entry));
  const remembered = (size: number, from = log) => ({
    known: from.head(size, HEAD_TIME),
  });
  const grown = parseCoseReceipt(growth(PREVIOUS_SIZE, BATCH_SIZE));
  return [
    make("of inclusion", good),
    make("of inclusion, with the expected hash", good, { expected: { hash: attestation.hash } }),
    make("of another hash than expected", good, { expected: { hash: digestOf("other") } }),
    ...[0, SEQUENCE, LOG_SIZE - 1].map((sequence) =>
      make(`of leaf ${sequence} in the whole log`, inclusionOf(sequence, LOG_SIZE))
    ),
    make("of the only leaf of a tree", inclusionOf(0, 1)),
    make("of an entry that is not in it", encodeCoseReceipt(bare), {
      expected: { leaf_hash: leaf },
    }),
    make("of another entry that is not in it", encodeCoseReceipt(bare), {
      expected: { leaf_hash: digestOf("other") },
    }),
    make("without an entry", encodeCoseReceipt(bare)),
    make("with the entry of another index", encodeCoseReceipt({ ...parsed, entry: other })),
    make("whose log is not trusted", good, { network: "alpha" }),
    make("of a network without a log key", good, { network: "ed25519 without log key" }),
    make("of another key", encodeCoseReceipt({ ...parsed, keyId: fromHex("00000000") })),
    make("of another log", encodeCoseReceipt({ ...parsed, origin: "other.example/log" })),
    make("with another signed size", encodeCoseReceipt({ ...parsed, treeSize: BATCH_SIZE + 1 })),
    make(
      "with another size",
      encodeCoseReceipt({ ...parsed, proof: { ...proof, size: LOG_SIZE } }),
    ),
    make(
      "with an index beyond the tree",
      encodeCoseReceipt({
        ...parsed,
        proof: { ...proof, index: BATCH_SIZE },
      }),
    ),
    make(
      "with another index",
      encodeCoseReceipt({
        ...parsed,
        proof: { ...proof, index: SEQUENCE + 1 },
      }),
    ),
    make(
      "with a shorter path",
      encodeCoseReceipt({
        ...parsed,
        proof: { ...proof, path: proof.path.slice(1) },
      }),
    ),
    make(
      "with another signature",
      encodeCoseReceipt({
        ...parsed,
        signature: new Uint8Array(64),
      }),
    ),
    make("of consistency", growth(PREVIOUS_SIZE, BATCH_SIZE), remembered(PREVIOUS_SIZE)),
    make("of consistency with an odd size", growth(7, LOG_SIZE), remembered(7)),
    make("of consistency with a fork", growth(7, LOG_SIZE), remembered(7, homes.ed25519.fork)),
    make("of consistency without a remembered root", growth(7, LOG_SIZE)),
    make(
      "of consistency with equal sizes",
      encodeCoseReceipt({ ...grown, proof: { ...grown.proof, first: BATCH_SIZE } as never }),
      remembered(BATCH_SIZE),
    ),
    ...spellings(good).map(([name, bytes]) => make(name, bytes)),
  ];
}

/** `receipt` in other bytes: all are `malformed_text`. */
function spellings(receipt: Bytes): [name: string, bytes: Uint8Array][] {
  const tagged = decodeCbor(receipt) as CborTag;
  const [header, unprotected, , signature] = tagged.value as unknown as Parts;
  const sign1 = (...parts: readonly CborValue[]) => encodeCbor(new CborTag(18, parts));
  const withMember = (label: number | string, value: CborValue) =>
    sign1(header, new Map([...unprotected, [label, value]]), null, signature);
  const entry = unprotected.get(ENTRY) as Bytes;
  const proofs = unprotected.get(396) as unknown as Map<number, readonly Bytes[]>;
  const [proof] = proofs.get(-1)!;
  const signed = decodeCbor(header) as unknown as Map<number | string, CborValue>;
  const withHeader = (label: number | string, value: CborValue) =>
    sign1(encodeCbor(new Map([...signed, [label, value]])), unprotected, null, signature);
  // The array of four, with its length in a second byte, and of no given length.
  const longer = concat(receipt.slice(0, 1), fromHex("9804"), receipt.slice(2));
  const indefinite = concat(
    receipt.slice(0, 1),
    fromHex("9f"),
    receipt.slice(2),
    fromHex("ff"),
  );
  return [
    ["with an entry that is a text string", withMember(ENTRY, new TextDecoder().decode(entry))],
    ["with a network id that is a byte string", withHeader(15, new Map([[1, utf8("x")]]))],
    ["with a further member", withMember("more", 1)],
    ["with a further protected member", withHeader("more", 1)],
    ["with another algorithm", withHeader(1, -7)],
    ["with another proof type", withHeader(395, 2)],
    ["with its payload", sign1(header, unprotected, new Uint8Array(32), signature)],
    ["without its tag", receipt.slice(1)],
    ["with another tag", encodeCbor(new CborTag(98, tagged.value))],
    ["cut off", receipt.slice(0, -1)],
    ["with a further byte", concat(receipt, fromHex("00"))],
    ["that is empty", new Uint8Array()],
    ["with a longer head", longer],
    ["of indefinite length", indefinite],
    ["with a short signature", sign1(header, unprotected, null, signature.slice(1))],
    ["with two proofs", withMember(396, new Map([[-1, [proof!, proof!]]]))],
    ["with a proof of an unknown kind", withMember(396, new Map([[-3, [proof!]]]))],
    ["with a proof that is no byte string", withMember(396, new Map([[-1, [hexOf(proof!)]]]))],
  ];
}
