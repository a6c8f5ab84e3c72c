/**
 * Signed tree heads, which carry every case of a set of signatures, and signed attestations.
 *
 * @module
 */

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { type Bytes, hexOf, utf8 } from "../../../../src/base/bytes.ts";
import { headReceiptMessage } from "../../../../src/proof/format/receipt_message.ts";
import type { SignatureSet } from "../../../../src/proof/format/signature_set.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
  type SignedTreeHead,
  type TreeHead,
} from "../../../../src/proof/format/tree_head.ts";
import { emptyRoot } from "../../../../src/proof/merkle/tree.ts";
import { portableKernels } from "../../../../src/proof/crypto/portable_kernels.ts";
import { encodeG1 } from "../../crypto/bls_oracle.ts";
import { smallOrderG1 } from "../../crypto/bls_torsion.ts";
import { bls } from "../../../schemes.ts";
import { equivocalSignatures } from "./ed25519_relatives.ts";
import { edits, print, type RawJson, rawOf } from "./raw_json.ts";
import type { Vector } from "./vector.ts";
import { BATCH_SIZE, HEAD_TIME, type Home, LOG_SIZE, peers, SEQUENCE } from "./world.ts";

/** The compressed identity of G1. */
const IDENTITY = "c0".padEnd(96, "0");

/** `signature` plus a point of order 3, which does not change a pairing. */
function outsideSubgroup(signature: string): string {
  const [torsion] = smallOrderG1(3n, 1);
  return hexOf(encodeG1(bls12_381.G1.Point.fromHex(signature).add(torsion!)));
}

/** Every case of a home network's signed tree heads and signed attestations. */
export function headCases(home: Home): Vector[] {
  const make = (name: string, rules: readonly string[], head: RawJson, network = home.scheme) => ({
    name: `${home.scheme}: ${name}`,
    kind: "tree_head" as const,
    ...(rules.length > 0 && { rules }),
    network,
    input: print(head),
  });
  const { log, network } = home;
  const sth = log.sth(BATCH_SIZE, HEAD_TIME);
  const empty = {
    network_id: network.id,
    tree_size: 0,
    timestamp: HEAD_TIME,
    root_hash: hexOf(emptyRoot(portableKernels)),
  };
  const set = (name: string, rules: readonly string[], signatures: SignatureSet | object) =>
    make(name, rules, rawOf({ tree_head: sth.tree_head, ...signatures }));
  return [
    make("a head", ["H4"], rawOf(sth)),
    make(
      "a head under threshold 3",
      ["H3", "S7"],
      rawOf(sth),
      `${home.scheme} threshold 3` as never,
    ),
    make(
      "a head of another network",
      ["H1"],
      rawOf(peers.alpha.signHead({
        ...sth.tree_head,
        network_id: "alpha.example/log",
      })),
    ),
    make("the head of an empty tree", ["H4"], rawOf(network.signHead(empty))),
    make(
      "the head of an empty tree with another root",
      ["H2"],
      rawOf(network.signHead({
        ...empty,
        root_hash: sth.tree_head.root_hash,
      })),
    ),
    make(
      "a head of size 2^53 - 1",
      ["H4"],
      rawOf(network.signHead({
        ...sth.tree_head,
        tree_size: Number.MAX_SAFE_INTEGER,
      })),
    ),
    ...(home.scheme === "ed25519" ? listSets(home, sth, set) : aggregateSets(home, sth, set)),
    ...logSignatureCases(home, make),
    ...[...edits(rawOf(sth))].map(({ name, json }) => make(`head: ${name}`, [], json)),
    ...attestationCases(home),
  ];
}

/** `sth` with the signature of `key` over the checkpoint body of `signed`. */
export function withLogSignature(
  sth: SignedTreeHead,
  key: { sign(message: Uint8Array): Uint8Array },
  signed: TreeHead = sth.tree_head,
): SignedTreeHead {
  return { ...sth, log_signature: hexOf(key.sign(utf8(encodeCheckpointBody(signed)))) };
}

/** With both of the log's signatures; `key` is the log's. */
export function withReceiptSignature(
  sth: SignedTreeHead,
  key: { readonly publicKey: Bytes; sign(message: Uint8Array): Uint8Array },
): SignedTreeHead {
  const message = headReceiptMessage(key.publicKey, sth.tree_head);
  return { ...withLogSignature(sth, key), receipt_signature: hexOf(key.sign(message)) };
}

function logSignatureCases(
  { network, log, scheme }: Home,
  make: (name: string, rules: readonly string[], head: RawJson, network?: never) => Vector,
): Vector[] {
  const sth = log.sth(BATCH_SIZE, HEAD_TIME);
  const signed = withLogSignature(sth, network.log);
  const withSignature = (change: (signature: string) => string) =>
    rawOf({ ...signed, log_signature: change(signed.log_signature!) });
  const flipped = withSignature((s) => `${s[0] === "0" ? "1" : "0"}${s.slice(1)}`);
  const receipts = withReceiptSignature(sth, network.log);
  const ofOther = withReceiptSignature(log.sth(LOG_SIZE, HEAD_TIME), network.log);
  const { log_signature: _, ...receiptsAlone } = receipts;
  return [
    make("with the signature of receipts", ["H4"], rawOf(receipts)),
    make("with the signature of receipts alone", ["H4"], rawOf(receiptsAlone)),
    make(
      "with the log's signature in place of that of receipts",
      ["H6"],
      rawOf({ ...receipts, receipt_signature: receipts.log_signature }),
    ),
    make(
      "with the signature of receipts of another head",
      ["H6"],
      rawOf({ ...receipts, receipt_signature: ofOther.receipt_signature }),
    ),
    make("with the log's signature", ["H4"], rawOf(signed)),
    make("with the log's signature flipped", ["H5"], flipped),
    make(
      "with a log's signature of another key",
      ["H5"],
      rawOf(withLogSignature(sth, peers.alpha.log)),
    ),
    make(
      "with the log's signature of another head",
      ["H5"],
      rawOf(withLogSignature(sth, network.log, log.head(LOG_SIZE, HEAD_TIME))),
    ),
    make(
      "with the log's signature over the cosignature message",
      ["H5"],
      rawOf({
        ...sth,
        log_signature: hexOf(network.log.sign(utf8(encodeCosignatureMessage(sth.tree_head)))),
      }),
    ),
    make(
      "with a log's signature, and no log key pinned",
      ["H4"],
      flipped,
      `${scheme} without log key` as never,
    ),
    make("with a log's signature one digit short", ["J5"], withSignature((s) => s.slice(1))),
    make("with a log's signature in capitals", ["J5"], withSignature((s) => s.toUpperCase())),
    make("with a log's signature that is null", ["J7"], rawOf({ ...signed, log_signature: null })),
  ];
}

type MakeSetCase = (name: string, rules: readonly string[], set: SignatureSet | object) => Vector;

function listSets({ network, log }: Home, sth: SignedTreeHead, make: MakeSetCase): Vector[] {
  const message = encodeCosignatureMessage(sth.tree_head);
  const by = (...places: number[]) => network.signEach(message, places).signatures;
  const stranger = (witness_id: string, signature = by(0)[0]!.signature) => ({
    witness_id,
    signature,
  });
  const list = (...signatures: object[]) => ({ signatures });
  const [w1, w2, w3] = [by(0)[0]!, by(1)[0]!, by(2)[0]!];
  const wrong = { ...w2, signature: w1.signature };
  return [
    make("signed by all", ["H4"], list(w1, w2, w3)),
    make("signed by one", ["S7"], list(w1)),
    make("signed by no one", ["S7"], list()),
    make("with one witness twice", ["S3"], list(w1, w1)),
    make("with one witness twice, and enough others", ["S3"], list(w1, w2, w2, w3)),
    make("with one witness twice, not side by side", ["S3"], list(w1, w2, w1)),
    make("in descending order", ["S4"], list(w2, w1)),
    make("with one wrong signature and two right ones", ["S6"], list(w1, wrong, w3)),
    make(
      "with the signatures of two witnesses exchanged",
      ["S6"],
      list(
        { ...w1, signature: w2.signature },
        wrong,
      ),
    ),
    make("with an unknown witness, and enough others", ["S8"], list(stranger("a"), w1, w2)),
    make(
      "with an unknown witness between, its signature wrong",
      ["S8"],
      list(
        w1,
        stranger(`${w1.witness_id}0`, "00".repeat(64)),
        w2,
      ),
    ),
    make("with an unknown witness in place of one", ["S8", "S7"], list(w1, stranger("z"))),
    make("with an unknown witness twice", ["S3"], list(w1, w2, stranger("z"), stranger("z"))),
    make("with an unknown witness out of order", ["S4"], list(w1, w2, stranger("a"))),
    make("with an aggregate", ["S2"], { signature: IDENTITY, signers: [w1.witness_id] }),
    make("with both shapes", ["S1"], { ...list(w1, w2), signature: IDENTITY, signers: [] }),
    make("without signatures", ["S1"], {}),
    make("with a witness id of 113 characters", ["J9"], list(w1, stranger("z".repeat(113)))),
    make("with a witness id that has a space", ["J9"], list(w1, stranger("z z"))),
    make("with an empty witness id", ["J9"], list(stranger(""), w1, w2)),
    ...equivocalSignatures(message, network.id).map(({ name, signature }) =>
      make(name, ["S9", "S6"], list({ ...w1, signature }, w2))
    ),
    make("with a head of another history", ["S6"], {
      ...log.sth(LOG_SIZE, HEAD_TIME),
      tree_head: sth.tree_head,
    }),
  ];
}

function aggregateSets({ network }: Home, sth: SignedTreeHead, make: MakeSetCase): Vector[] {
  const message = encodeCosignatureMessage(sth.tree_head);
  const by = (...places: number[]) => network.signTogether(message, places);
  const [w1, w2, w3] = by(0, 1, 2).signers;
  const share = hexOf(network.share(message, 0));
  const doubled = hexOf(bls.aggregate([0, 0, 1].map((place) => network.share(message, place)))!);
  return [
    make("signed by all", ["H4"], by(0, 1, 2)),
    make("signed by the first and the last", ["H4"], by(0, 2)),
    make("signed by one", ["S7"], by(0)),
    make("signed by no one", ["S7"], { signature: share, signers: [] }),
    make("signed by no one, with the identity", ["S7"], { signature: IDENTITY, signers: [] }),
    make("with one signer twice", ["S3"], { ...by(0, 1), signers: [w1, w1, w2] }),
    make("with one signer and its share twice", ["S3"], {
      signature: doubled,
      signers: [w1, w1, w2],
    }),
    make("in descending order", ["S4"], { ...by(0, 1), signers: [w2, w1] }),
    make("with an unknown signer", ["S5"], { ...by(0, 1), signers: [w1, w2, "z"] }),
    make("with an unknown signer, and enough others", ["S5"], {
      ...by(0, 1, 2),
      signers: ["a", w1, w2, w3],
    }),
    make("with a signer too many", ["S6"], { ...by(0, 1), signers: [w1, w2, w3] }),
    make("with a signer too few", ["S6"], { ...by(0, 1, 2), signers: [w1, w2] }),
    make("with another signer", ["S6"], { ...by(0, 1), signers: [w1, w3] }),
    make("with one share", ["S6"], { signature: share, signers: [w1, w2] }),
    make("with the identity", ["S10", "S6"], { ...by(0, 1), signature: IDENTITY }),
    make("with a point outside the subgroup", ["S10", "S6"], {
      ...by(0, 1),
      signature: outsideSubgroup(by(0, 1).signature),
    }),
    make("with an uncompressed flag", ["S10", "S6"], {
      ...by(0, 1),
      signature: (parseInt(by(0, 1).signature.slice(0, 2), 16) & 0x7f).toString(16)
        .padStart(2, "0") + by(0, 1).signature.slice(2),
    }),
    make("with the sign of its point changed", ["S10", "S6"], {
      ...by(0, 1),
      signature: (parseInt(by(0, 1).signature.slice(0, 2), 16) ^ 0x20).toString(16)
        .padStart(2, "0") + by(0, 1).signature.slice(2),
    }),
    make("with a list", ["S2"], { signatures: [] }),
    make("with both shapes", ["S1"], { ...by(0, 1), signatures: [] }),
    make("without signers", ["S1"], { signature: share }),
    make("with a signature of 64 bytes", ["J5"], { ...by(0, 1), signature: "00".repeat(64) }),
  ];
}

function attestationCases({ scheme, log }: Home): Vector[] {
  const signed = log.attestations[SEQUENCE]!;
  const plain = log.attestations[0]!;
  const make = (name: string, rules: readonly string[], value: RawJson): Vector => ({
    name: `${scheme}: signed attestation ${name}`,
    kind: "signed_attestation",
    ...(rules.length > 0 && { rules }),
    network: scheme,
    input: print(value),
  });
  const edited = [...edits(rawOf(signed))].filter(({ name }) =>
    scheme === "ed25519" && !name.startsWith("signature")
  );
  return [
    make("with a beacon", ["A7"], rawOf(signed)),
    make("without a beacon", ["A7"], rawOf(plain)),
    make(
      "whose beacon was taken away",
      ["S6"],
      rawOf({
        ...signed,
        round: { ...signed.round, beacon: null },
      }),
    ),
    ...log.attestations.slice(5, 9).map((other, i) =>
      make(`of sequence ${5 + i}`, ["A7"], rawOf(other))
    ),
    ...edited.map(({ name, json }) => make(name, [], json)),
  ];
}
