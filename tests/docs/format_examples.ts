/**
 * The worked examples of `docs/protocol.md` and `docs/formats.md`: each by its name, made by the
 * program's own encoders from the keys and the log of `example_log.ts`.
 *
 * @module
 */

import type { IndexedSignatureSet, WitnessLine } from "../../src/proof/format/records.ts";
import {
  encodeAnchor,
  encodeCrossAnchor,
  encodeWitnessed,
} from "../../src/storage/anchors/anchor_codec.ts";
import { networkDigest } from "../../src/server/gateway/log_network.ts";
import { type Bytes, concat, textOf, uint64, utf8 } from "../../src/base/bytes.ts";
import { beaconMessage } from "../../src/proof/crypto/drand.ts";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { encodeAddCheckpoint } from "../../src/proof/format/add_checkpoint.ts";
import { encodeAttestation } from "../../src/proof/format/attestation.ts";
import { parseNote } from "../../src/proof/format/note.ts";
import { encodeVkey, NOTE_TYPE, noteKeyId } from "../../src/proof/format/note_key.ts";
import { cosignatureLine, encodeSignatureLine } from "../../src/proof/format/note_writer.ts";
import { encodeNoteSecret } from "../../src/proof/format/note_secret.ts";
import { publicNetworkJson } from "../../src/proof/format/public_network.ts";
import { coreOf, encodeTrustCore, fingerprintOf } from "../../src/proof/format/trust_core.ts";
import { type Beacon, encodeRoundMessage } from "../../src/proof/format/round.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
} from "../../src/proof/format/tree_head.ts";
import { bucketOf, offsetsOf } from "../../src/gateway/index/index_run.ts";
import { KeyedHash } from "../../src/gateway/index/keyed_hash.ts";
import { tilePath } from "../../src/proof/merkle/tile.ts";
import { headReceiptMessage } from "../../src/proof/format/receipt_message.ts";
import {
  encodeIntakeRow,
  encodeSpentRow,
  encodeStoredRound,
  encodeStoredSth,
} from "../../src/storage/log/record_codec.ts";
import { QUICKNET_BEACONS, QUICKNET_TIME } from "../beacons.ts";
import { digestOf, signerOf } from "../proof/verify/test_network.ts";
import {
  blsNetwork,
  exampleLog,
  HEAD_TIME,
  network,
  NETWORK_ID,
  peer,
  ROUND_TIME,
} from "./example_log.ts";

const LINE_DIGITS = 64;
const NAME_WIDTH = 18;

/** Bytes as a table: the name of each part, and its hex in lines of 32 bytes. */
function layout(bytes: Bytes, parts: readonly (readonly [name: string, length: number])[]): string {
  let at = 0;
  const lines = parts.flatMap(([name, length]) => {
    const hex = bytes.subarray(at, at += length).toHex();
    const pieces = hex.match(new RegExp(`.{1,${LINE_DIGITS}}`, "g")) ?? [""];
    return pieces.map((piece, i) => `${(i === 0 ? name : "").padEnd(NAME_WIDTH)}${piece}`);
  });
  if (at !== bytes.length) throw new Error(`${bytes.length} bytes, ${at} named`);
  return `${lines.join("\n")}\n`;
}

const log = exampleLog();
const [first] = log.attestations;
const attestation = encodeAttestation(first!.attestation);
const leaf = log.leafHash(0);
const roundRoot = log.head(2, 0).root_hash;
const beacon: Beacon = QUICKNET_BEACONS[0];
/** A round that holds a beacon is younger than the beacon. */
const BEACON_TIME = QUICKNET_TIME + 2;
const message = (withBeacon: Beacon | null, timestamp = ROUND_TIME) =>
  encodeRoundMessage({
    network_id: NETWORK_ID,
    timestamp,
    size: 2,
    root: roundRoot,
    beacon: withBeacon,
  });
const head = log.head(3, HEAD_TIME);
const checkpoint = network.checkpoint(head, { 0: HEAD_TIME, 1: HEAD_TIME });
const note = parseNote(checkpoint);
const blsLog = exampleLog(blsNetwork);
const blsNote = parseNote(blsNetwork.checkpoint(blsLog.head(3, 0), { 0: HEAD_TIME, 2: HEAD_TIME }));
const digests = Uint8Array.fromHex(digestOf("hello") + digestOf("world"));
const hexBytes = (hex: string) => Uint8Array.fromHex(hex);

/** The line of a witness of others under the checkpoint of the log, signed at the head's time. */
function foreignLine(): WitnessLine {
  const name = "witness.example";
  const signer = signerOf(name);
  const key = { name, type: NOTE_TYPE.cosignature, publicKey: signer.publicKey };
  const signature = signer.sign(utf8(encodeCosignatureMessage(head)));
  const line = encodeSignatureLine(cosignatureLine(key, HEAD_TIME, signature));
  return { vkey: encodeVkey(key), line };
}

/** Signatures of the witnesses at places 0 and 1, as the store has them. */
function placed(text: string): IndexedSignatureSet {
  return [0, 1].map((witness) => ({ witness, signature: network.share(text, witness) }));
}

const LIST_PARTS = [
  ["signatures", 1],
  ["count", 2],
  ...[0, 1].flatMap((i) =>
    [[`witness ${i + 1}: place`, 2], ["  length", 1], ["  signature", 64]] as const
  ),
] as const;

const aggregateOf = (text: string) => blsNetwork.signTogether(text, [0, 2]).signature;
const roundRecord = {
  first: 0,
  size: 2,
  timestamp: ROUND_TIME,
  attempts: 1,
  beacon: null,
  signatures: placed(message(null)),
  upperNodes: hexBytes(roundRoot),
};

const entries = concat(
  ...log.attestations.slice(0, 1).map(({ attestation }) => {
    const text = utf8(encodeAttestation(attestation));
    return concat(Uint8Array.of(text.length >> 8, text.length & 0xff), text);
  }),
);

/** The entry of the first digest in an index whose key is 0001020304050607. */
function indexEntry(): string {
  const hash = new KeyedHash(Uint8Array.from({ length: 8 }, (_, i) => i));
  hash.hash(new Uint32Array(digests.slice(0, 32).buffer), 0);
  const { high, low } = hash;
  const offset = 0;
  const entry = new Uint8Array(8);
  const bits = (BigInt(high & 0x3ffff) << 46n) | (BigInt(low >>> 6) << 20n) | BigInt(offset);
  new DataView(entry.buffer).setBigUint64(0, bits);
  if (offsetsOf(hash, entry)[0] !== offset) throw new Error("the entry is not found again");
  const hex = (word: number) => word.toString(16).padStart(8, "0");
  return [
    `high              ${hex(high)}`,
    `low               ${hex(low)}`,
    `bucket            ${bucketOf(hash)}`,
    `entry             ${entry.toHex()}`,
    "",
  ].join("\n");
}

/** A value of `anchors.kv`: the version byte, then the JSON. */
function jsonRecord(value: Bytes): string {
  return `version ${value[0]!.toString(16).padStart(2, "0")}\n${
    JSON.stringify(JSON.parse(textOf(value.slice(1), "store_corrupt")), null, 1)
  }\n`;
}

/** Each example of `docs/protocol.md` by its name. */
export const PROTOCOL_EXAMPLES: Readonly<Record<string, string>> = {
  keys: network.configuration.witnesses.map(({ id, pubkey }) => `${pubkey}  ${id}\n`).join("") +
    `${network.log.publicKey.toHex()}  ${NETWORK_ID} (log)\n`,
  attestation,
  "attestation tree": [
    `leaf 0        ${leaf}`,
    `leaf 1        ${log.leafHash(1)}`,
    `leaf 2        ${log.leafHash(2)}`,
    `node [0, 2)   ${roundRoot}`,
    `root of 3     ${head.root_hash}`,
    "",
  ].join("\n"),
  "round message": message(null),
  "round signature": `${network.share(message(null), 0).toHex()}\n`,
  "round message with beacon": message(beacon, BEACON_TIME),
  "beacon message": `${beaconMessage(beacon.round).toHex()}\n`,
  "cosignature message": encodeCosignatureMessage(head),
  "cosignature": `${network.share(encodeCosignatureMessage(head), 0).toHex()}\n`,
  checkpoint,
  "checkpoint lines": layout(
    concat(
      ...note.signatures.slice(0, 2).flatMap(({ keyId, payload }) => [keyId, payload]),
    ),
    [
      ["log: key ID", 4],
      ["signature", 64],
      ["w1: key ID", 4],
      ["time", 8],
      ["signature", 64],
    ],
  ),
  "aggregate line": layout(concat(blsNote.signatures[1]!.keyId, blsNote.signatures[1]!.payload), [
    ["key ID", 4],
    ["time", 8],
    ["signers", 1],
    ["signature", 48],
  ]),
  vkeys: `${encodeVkey(network.logKey)}\n${encodeVkey(network.witnessKey(0))}\n`,
  "key ID preimage": layout(
    concat(utf8(`${NETWORK_ID}\n`), Uint8Array.of(NOTE_TYPE.ed25519), network.log.publicKey),
    [["name, newline", NETWORK_ID.length + 1], ["type", 1], ["public key", 32]],
  ) + `SHA-256[:4]       ${noteKeyId(network.logKey).toHex()}\n`,
  "proof of possession": `${blsNetwork.configuration.witnesses[0]!.proof_of_possession}\n`,
  "bls signature": `${aggregateOf(message(null))}\n`,
  "add-checkpoint": encodeAddCheckpoint({
    oldSize: 2,
    consistencyPath: log.consistencyPath(2, 3).map(hexBytes),
    checkpoint: { text: note.text, signatures: note.signatures.slice(0, 1) },
  }),
  "tile paths": [
    tilePath(0, 0, 3),
    tilePath(0, 1_234_067, 256),
    tilePath(2, 5, 17),
    tilePath("entries", 1234, 256),
    "",
  ].join("\n"),
  "entry bundle": layout(entries, [["length", 2], ["attestation 0", entries.length - 2]]),
  "anchor digest": `${kernels.sha256(utf8(encodeCheckpointBody(head))).toHex()}\n`,
  "network configuration": publicNetworkJson(peer.configuration),
  "trust core": encodeTrustCore(coreOf(peer.configuration)),
  fingerprint: `${fingerprintOf(peer.configuration)}\n`,
};

/** Each example of `docs/formats.md` by its name. */
export const STORED_EXAMPLES: Readonly<Record<string, string>> = {
  "key file": `${
    encodeNoteSecret(
      {
        name: "docs.example/spare",
        type: NOTE_TYPE.ed25519,
        seed: hexBytes(digestOf("docs.example/spare")),
      },
      signerOf("docs.example/spare").publicKey,
    )
  }\n`,
  "network digest": `${networkDigest(network.configuration)}\n`,
  "intake row": layout(encodeIntakeRow({ first: 0, acceptedAt: ROUND_TIME, digests }), [
    ["accepted at", 8],
    ["digest 0", 32],
    ["digest 1", 32],
    ["checksum", 8],
  ]),
  "spent row": layout(
    encodeSpentRow({ first: 0, intakeRow: 0, offsets: [1], ids: hexBytes(digestOf("a token")) }),
    [["intake row", 8], ["places", 4], ["id 0", 32], ["checksum", 8]],
  ),
  "round record": layout(encodeStoredRound(roundRecord), [
    ["version", 1],
    ["size", 2],
    ["time", 8],
    ["attempts", 4],
    ["beacon", 1],
    ...LIST_PARTS,
    ["node [0, 2)", 32],
    ["checksum", 8],
  ]),
  "round record with beacon": layout(
    encodeStoredRound({
      ...roundRecord,
      timestamp: BEACON_TIME,
      beacon,
      signatures: {
        witnesses: [0, 2],
        signature: hexBytes(aggregateOf(message(beacon, BEACON_TIME))),
      },
    }),
    [
      ["version", 1],
      ["size", 2],
      ["time", 8],
      ["attempts", 4],
      ["beacon", 1],
      ["chain hash", 32],
      ["round", 8],
      ["beacon signature", 48],
      ["signatures", 1],
      ["length of signers", 2],
      ["signers", 1],
      ["signature", 48],
      ["node [0, 2)", 32],
      ["checksum", 8],
    ],
  ),
  "tree head record": layout(
    encodeStoredSth({
      size: 3,
      root: hexBytes(head.root_hash),
      timestamp: HEAD_TIME,
      logSignature: network.log.sign(utf8(encodeCheckpointBody(head))),
      receiptSignature: network.log.sign(headReceiptMessage(network.log.publicKey, head)),
      signatures: placed(encodeCosignatureMessage(head)),
    }),
    [
      ["version", 1],
      ["root", 32],
      ["time", 8],
      ["log signature", 64],
      ["receipts", 64],
      ...LIST_PARTS,
      ["checksum", 8],
    ],
  ),
  "head record": layout(concat(uint64(3), hexBytes(head.root_hash)), [["size", 8], ["root", 32]]),
  "index entry": indexEntry(),
  "cross-anchor record": jsonRecord(encodeCrossAnchor({
    peer: peer.id,
    treeHead: head,
    signatures: peer.sign(encodeCosignatureMessage(head)),
  })),
  "witnessed checkpoint record": jsonRecord(encodeWitnessed({
    size: head.tree_size,
    rootHash: head.root_hash,
    meetsQuorum: true,
    lines: [foreignLine()],
  })),
  "external anchor record": jsonRecord(encodeAnchor({
    service: "rfc3161",
    status: "confirmed",
    provider: "rfc3161",
    timestamp: HEAD_TIME + 1,
    treeHead: head,
    proof: { token: "MIIB" },
  })),
};
