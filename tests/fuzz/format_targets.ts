/**
 * Readers of signed texts, notes, keys and strict JSON (`src/proof/format`), and of tiles (`src/proof/merkle`).
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { bytesOfBase64, bytesOfHex, integerOf, isHex, textOf } from "../../src/base/bytes.ts";
import { generateBlsSecret } from "../../src/proof/crypto/bls_key_gen.ts";
import { Ed25519Signer } from "../../src/proof/crypto/ed25519_native.ts";
import type { ErrorCode } from "../../src/base/errors.ts";
import { parseSignSubtree } from "../../src/proof/format/sign_subtree.ts";
import { encodeSignSubtree } from "../proof/format/sign_subtree_body.ts";
import { encodeAddCheckpoint, parseAddCheckpoint } from "../../src/proof/format/add_checkpoint.ts";
import {
  type AggregateKey,
  aggregateKey,
  splitAggregate,
} from "../../src/proof/format/aggregate_line.ts";
import {
  aggregateLine,
  cosignatureLine,
  encodeNote,
  encodeSignatureLine,
} from "../../src/proof/format/note_writer.ts";
import { encodeAttestation, parseAttestation } from "../../src/proof/format/attestation.ts";
import {
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseMerkleProof,
  parseSignedAttestation,
  parseSignedTreeHead,
} from "../../src/proof/format/bundle.ts";
import { encodeChecksums, parseChecksums } from "../../src/proof/format/checksum_list.ts";
import { encodeLogCheckpoint, parseLogCheckpoint } from "../../src/proof/format/log_checkpoint.ts";
import { isNetworkId, isWitnessId } from "../../src/proof/format/names.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { parseNote, parseSignatureLine, splitCosignature } from "../../src/proof/format/note.ts";
import { encodeVkey, NOTE_TYPE, parseVkey } from "../../src/proof/format/note_key.ts";
import { encodeNoteSecret, parseNoteSecret } from "../../src/proof/format/note_secret.ts";
import { parseServiceUrl } from "../../src/proof/format/service_url.ts";
import { decodeSignerBitmap, encodeSignerBitmap } from "../../src/proof/format/signer_bitmap.ts";
import { type JsonValue, parseStrictJson, RawNumber } from "../../src/proof/format/strict_json.ts";
import { encodeCheckpointBody, parseCheckpointBody } from "../../src/proof/format/tree_head.ts";
import { parseTilePath, tilePath } from "../../src/proof/merkle/tile.ts";
import { parseStoreUrl } from "../../src/config/store_database.ts";
import { bls } from "../schemes.ts";
import { ofText, type Target } from "./engine.ts";
import { blsSide, HASH, sides } from "./valid_inputs.ts";

/** A text with one spelling: what is read is written as the same text. */
function canonical<T>(
  name: string,
  codes: readonly ErrorCode[],
  seeds: readonly string[],
  functions: {
    readonly parse: (text: string) => T | undefined;
    readonly encode: (value: T) => string;
  },
): Target {
  return {
    name: name.split("#")[1]!,
    covers: [name],
    codes,
    seeds,
    read: ofText((text) => {
      const value = functions.parse(text);
      if (value === undefined) return false;
      assert.equal(functions.encode(value), text);
      return true;
    }),
  };
}

/** A JSON resource whose every member is known: what is read is all that the text says. */
function resource(
  name: string,
  parse: (text: string) => unknown,
  values: readonly unknown[],
): Target {
  return {
    name,
    covers: [`proof/format/bundle.ts#${name}`],
    codes: ["malformed_bundle"],
    seeds: values.map((value) => JSON.stringify(value)),
    read: ofText((text) => {
      const value = parse(text);
      assert.deepEqual(plain(value as JsonValue), JSON.parse(text));
    }),
  };
}

/** `value` as JSON.parse has it: no prototypes of ours, and JavaScript's numbers. */
export function plain(value: JsonValue): unknown {
  if (value instanceof RawNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

const [{ network, log, bundle, sth, earlier }] = sides;
const signer = new Ed25519Signer(new Uint8Array(32).fill(7));
const blsSecret = generateBlsSecret();
const logKey = { name: network.id, type: NOTE_TYPE.ed25519, publicKey: signer.publicKey };
const checkpoint = parseNote(sides[0].checkpoint);
const secrets = [
  encodeNoteSecret(
    { name: "a/w1", type: NOTE_TYPE.cosignature, seed: new Uint8Array(32).fill(7) },
    signer.publicKey,
  ),
  encodeNoteSecret(
    { name: "b/w1", type: NOTE_TYPE.private, seed: blsSecret.slice() },
    bls.skToPk(blsSecret),
  ),
];
const aggregates: AggregateKey = aggregateKey(blsSide.network.configuration);

const SUBTREE = { start: 8, end: 13, root: new Uint8Array(32).fill(1) };

const TEXTS: readonly Target[] = [
  canonical("proof/format/attestation.ts#parseAttestation", ["malformed_text"], [
    encodeAttestation({
      hash: HASH,
      timestamp: 1_766_275_200,
      network_id: network.id,
      sequence: 0,
    }),
  ], { parse: parseAttestation, encode: encodeAttestation }),
  canonical("proof/format/tree_head.ts#parseCheckpointBody", ["malformed_text"], [
    encodeCheckpointBody(sth.tree_head),
  ], { parse: parseCheckpointBody, encode: encodeCheckpointBody }),
  canonical("proof/format/log_checkpoint.ts#parseLogCheckpoint", ["malformed_text"], [
    encodeCheckpointBody(sth.tree_head),
    encodeLogCheckpoint({
      origin: "Other log",
      size: 5,
      root: new Uint8Array(32),
      extensions: ["a", "b c"],
    }),
  ], { parse: parseLogCheckpoint, encode: encodeLogCheckpoint }),
  canonical(
    "proof/format/note.ts#parseNote",
    ["malformed_text"],
    sides.map((side) => side.checkpoint),
    {
      parse: parseNote,
      encode: encodeNote,
    },
  ),
  canonical("proof/format/note.ts#parseSignatureLine", ["malformed_text"], [
    encodeSignatureLine(checkpoint.signatures[0]!).trimEnd(),
  ], {
    parse: parseSignatureLine,
    encode: (line) => encodeSignatureLine(line).slice(0, -1),
  }),
  canonical("proof/format/sign_subtree.ts#parseSignSubtree", ["malformed_text"], [
    encodeSignSubtree({ ...SUBTREE, path: [], checkpoint }),
    encodeSignSubtree({ ...SUBTREE, path: [new Uint8Array(32)], checkpoint }),
  ], { parse: parseSignSubtree, encode: encodeSignSubtree }),
  canonical("proof/format/add_checkpoint.ts#parseAddCheckpoint", ["malformed_text"], [
    encodeAddCheckpoint({ oldSize: 0, consistencyPath: [], checkpoint }),
    encodeAddCheckpoint({ oldSize: 12, consistencyPath: [new Uint8Array(32)], checkpoint }),
  ], { parse: parseAddCheckpoint, encode: encodeAddCheckpoint }),
  canonical("proof/format/note_key.ts#parseVkey", ["invalid_key"], [encodeVkey(logKey)], {
    parse: parseVkey,
    encode: encodeVkey,
  }),
  canonical("proof/merkle/tile.ts#parseTilePath", [], [
    "tile/0/000",
    "tile/63/x001/x234/067.p/8",
    "tile/entries/x999/999.p/255",
  ], { parse: parseTilePath, encode: ({ level, index, width }) => tilePath(level, index, width) }),
  canonical("base/bytes.ts#integerOf", [], ["0", "9007199254740991"], {
    parse: integerOf,
    encode: String,
  }),
  canonical("base/bytes.ts#bytesOfBase64", [], ["AAEC", "AAE=", "AA=="], {
    parse: bytesOfBase64,
    encode: (bytes) => Buffer.from(bytes).toString("base64"),
  }),
  canonical("base/bytes.ts#bytesOfHex", [], [HASH], {
    parse: (text) => bytesOfHex(text, 32),
    encode: (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""),
  }),
  canonical("proof/format/names.ts#isNetworkId", [], [network.id], {
    parse: (text) =>
      isNetworkId(text) && /^[A-Za-z0-9][A-Za-z0-9._~/-]{0,95}$/.test(text) ? text : undefined,
    encode: (text) => text,
  }),
  canonical("proof/format/names.ts#isWitnessId", [], [`${network.id}/w1`], {
    parse: (text) =>
      isWitnessId(text) && /^[A-Za-z0-9][A-Za-z0-9._~/-]{0,111}$/.test(text) ? text : undefined,
    encode: (text) => text,
  }),
];

const RESOURCES: readonly Target[] = [
  resource(
    "parseSignedAttestation",
    parseSignedAttestation,
    sides.map((side) => side.bundle.signed_attestation),
  ),
  resource(
    "parseBundle",
    parseBundle,
    sides.flatMap((side) => [side.bundle, side.unbatched, side.federated]),
  ),
  resource("parseSignedTreeHead", parseSignedTreeHead, sides.map((side) => side.sth)),
  resource("parseMerkleProof", parseMerkleProof, [bundle.batch_inclusion!.merkle_proof]),
  resource(
    "parseInclusionProof",
    parseInclusionProof,
    sides.map((side) => side.log.inclusionProof(7, side.sth)),
  ),
  resource("parseConsistencyProof", parseConsistencyProof, [log.consistencyProof(earlier, sth)]),
];

const OTHERS: readonly Target[] = [
  {
    name: "parseChecksums",
    covers: ["proof/format/checksum_list.ts#parseChecksums"],
    codes: ["malformed_text"],
    seeds: [
      `${HASH}  a.txt\n\\${HASH} *b\\nc\\\\\r\n`,
      `# a comment\n\nSHA256 (a (1).txt) = ${HASH.toUpperCase()}\n`,
      `${HASH}  a\\\nb\0${HASH} *c\0`,
    ],
    read: ofText((text) => {
      const files = parseChecksums(text);
      assert.deepEqual(parseChecksums(encodeChecksums(files)), files);
    }),
  },
  {
    name: "textOf",
    covers: ["base/bytes.ts#textOf"],
    codes: ["malformed_text"],
    seeds: ["plain", "\ufeffmarked \u{1f600}"],
    read: (input) => assert.deepEqual(new TextEncoder().encode(textOf(input)), input),
  },
  {
    name: "isHex",
    covers: ["base/bytes.ts#isHex"],
    codes: [],
    seeds: [HASH],
    read: ofText((text) => isHex(text, 32) ? assert.match(text, /^[0-9a-f]{64}$(?!\n)/) : false),
  },
  {
    name: "parseStrictJson",
    covers: ["proof/format/strict_json.ts#parseStrictJson"],
    codes: ["malformed_json"],
    seeds: [JSON.stringify(bundle), '[1, {"a": null}, "\\u00e9\\n", -0.5e-7, true]'],
    read: ofText((text) =>
      assert.deepEqual(plain(parseStrictJson(text, "malformed_json")), JSON.parse(text))
    ),
  },
  {
    name: "parseNetwork",
    covers: [
      "proof/format/network_reader.ts#parseNetwork",
      "proof/format/network_reader.ts#readNetwork",
      "proof/format/network_check.ts#checkNetwork",
    ],
    codes: ["malformed_configuration", "invalid_configuration", "invalid_key"],
    seeds: sides.map((side) => JSON.stringify(side.network.configuration)),
    share: 0.5,
    read: ofText((text) => {
      const read = parseNetwork(text, bls);
      assert.deepEqual(parseNetwork(JSON.stringify(read), bls), read);
      assert.ok(read.threshold >= 1 && read.threshold <= read.witnesses.length);
    }),
  },
  {
    name: "parseNoteSecret",
    covers: ["proof/format/note_secret.ts#parseNoteSecret"],
    codes: ["invalid_key"],
    seeds: secrets,
    read: ofText((text) => {
      const publicKeyOf = (seed: Uint8Array<ArrayBuffer>, type: number) =>
        type === NOTE_TYPE.private ? bls.skToPk(seed) : new Ed25519Signer(seed).publicKey;
      const secret = parseNoteSecret(text, publicKeyOf);
      const again = encodeNoteSecret(secret, publicKeyOf(secret.seed, secret.type));
      assert.equal(again, text.replace(/\n$/, ""));
    }),
  },
  {
    name: "parseServiceUrl",
    covers: ["proof/format/service_url.ts#parseServiceUrl"],
    codes: ["invalid_configuration"],
    seeds: ["https://witness.example/a/", "http://127.0.0.1:8081", "http://[::1]/x"],
    read: ofText((text) => {
      const { protocol, hostname, username, password, search, hash, pathname } = parseServiceUrl(
        text,
        { insecure: false },
      );
      assert.deepEqual([username, password, search, hash], ["", "", "", ""]);
      assert.ok(pathname.endsWith("/"));
      if (protocol !== "https:") assert.match(hostname, /^(localhost|127\.[0-9.]+|\[::1\])$/);
    }),
  },
  {
    name: "parseStoreUrl",
    covers: ["config/store_database.ts#parseStoreUrl"],
    codes: ["invalid_configuration"],
    seeds: [
      "postgres://log@db.example:5433/log?sslmode=verify-full",
      "postgresql://u%20s@[::1]/l%C3%A9",
    ],
    read: ofText((text) => {
      const { host, port, user, database, tls } = parseStoreUrl(text, { insecure: false });
      assert.ok(host !== "" && user !== "" && database !== "" && port > 0);
      if (!tls) assert.match(host, /^(localhost|127\.[0-9.]+|::1)$/);
    }),
  },
  {
    name: "decodeSignerBitmap",
    covers: ["proof/format/signer_bitmap.ts#decodeSignerBitmap"],
    codes: [],
    seeds: [Uint8Array.of(0b1010_0000, 0b1000_0000)],
    read: (input) => {
      const places = decodeSignerBitmap(input, 9);
      if (places === undefined) return false;
      assert.deepEqual(encodeSignerBitmap(places, 9), input);
      return true;
    },
  },
  {
    name: "splitCosignature",
    covers: ["proof/format/note.ts#splitCosignature"],
    codes: [],
    seeds: [new Uint8Array(72).fill(1, 2)],
    read: (input) => {
      const split = splitCosignature(input);
      if (split === undefined) return false;
      assert.deepEqual(cosignatureLine(logKey, split.timestamp, split.signature).payload, input);
      return true;
    },
  },
  {
    name: "splitAggregate",
    covers: ["proof/format/aggregate_line.ts#splitAggregate"],
    codes: [],
    seeds: [
      aggregateLine(aggregates, { timestamp: 5, signers: [0, 2], signature: new Uint8Array(48) })
        .payload,
    ],
    read: (input) => {
      const split = splitAggregate(aggregates, input);
      if (split === undefined) return false;
      assert.deepEqual(aggregateLine(aggregates, split).payload, input);
      return true;
    },
  },
];

export const FORMAT_TARGETS: readonly Target[] = [...TEXTS, ...RESOURCES, ...OTHERS];
