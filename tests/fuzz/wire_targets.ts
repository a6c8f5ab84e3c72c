/**
 * Readers of requests (`src/http`) and of answers of gateways and witnesses (`src/http/outgoing`).
 *
 * @module
 */

import assert from "node:assert/strict";
import { QUICKNET } from "../../src/proof/crypto/drand.ts";
import { verifyBeacons } from "../../src/proof/crypto/beacon_verifier.ts";
import { utf8 } from "../../src/base/bytes.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { encodeAddCheckpoint, parseAddCheckpoint } from "../../src/proof/format/add_checkpoint.ts";
import { noteSignature } from "../../src/proof/format/note_writer.ts";
import { NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { type JsonValue, parseStrictJson } from "../../src/proof/format/strict_json.ts";
import { encodeCheckpointBody } from "../../src/proof/format/tree_head.ts";
import { jsonTextOf, requireJson } from "../../src/http/body.ts";
import { decimal, readParameters } from "../../src/http/parameters.ts";
import { MAX_WAIT_SECONDS } from "../../src/http/limits.ts";
import { waitSeconds } from "../../src/http/gateway/attestation_handlers.ts";
import { pathOf } from "../../src/http/request_path.ts";
import { HASH as HASH_SCHEMA, object } from "../../src/proof/format/schema.ts";
import {
  readAnyBulk,
  readAnySubmission,
  readBulkSubmission,
  readPlainBulk,
  readPlainSubmission,
  readShortest,
  readSubmission,
  readTokenSubmission,
  SHORTEST_LENGTH,
} from "../../src/http/gateway/submission.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import {
  readCosignRequest,
  readEpochBeginRequest,
  readEpochEndRequest,
  readRoundRequest,
  readRoundsRequest,
} from "../../src/http/witness/witness_requests.ts";
import { parseAnchors, parseSummary } from "../../src/client/gateway_answers.ts";
import { readLatestBeacon } from "../../src/http/outgoing/drand_relay.ts";
import { GatewayRefusal, readRefusal } from "../../src/proof/format/gateway_refusal.ts";
import { parseJobSnapshot, parseJobSnapshots } from "../../src/proof/format/job_snapshot.ts";
import { QUICKNET_BEACONS } from "../beacons.ts";
import { cosignBody, log, roundBody, tree } from "../http/witness_server.ts";
import { bls } from "../schemes.ts";
import { clientOf, patience, round, served } from "../http/outgoing/fixture.ts";
import { testWitness } from "../witness/fixture.ts";
import { ofText, type Target } from "./engine.ts";
import { plain } from "./format_targets.ts";
import { HASH, sides } from "./valid_inputs.ts";

const REQUEST_CODES = ["malformed_json", "malformed_request"] as const;
const SUBMISSION_CODES = [...REQUEST_CODES, "malformed_hash"] as const;

/** The members of a JSON object, as JSON.parse has them. */
function membersOf(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}

/** What `read` answers, or the code that it refuses with. */
function resultOf(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof CountersignError) return error.code;
    throw error;
  }
}

const PARAMETERS = object({ hash: HASH_SCHEMA, tree_size: decimal("A size", 1, 100).optional() });

const REQUESTS: readonly Target[] = [
  {
    name: "readSubmission",
    covers: [
      "http/gateway/submission.ts#readSubmission",
      "http/gateway/submission.ts#readPlainSubmission",
      "http/gateway/submission.ts#readAnySubmission",
      "http/gateway/submission.ts#readTokenSubmission",
      "http/body.ts#parseBody",
    ],
    codes: SUBMISSION_CODES,
    seeds: [
      `{"hash":"${HASH}"}`,
      `{"hash":"${HASH}","issuer_token":null}`,
      `{"hash":"${HASH}","issuer_token":"abc"}`,
      ` { "issuer_token" : "\\u00e9" , "hash" : "${HASH}", "more": [1.5, {}] } `,
    ],
    read(input) {
      const plainly = readPlainSubmission(input);
      // Both readers agree, also on refusals.
      if (plainly !== undefined) assert.equal(readAnySubmission(input).hash, plainly);
      const { hash, token } = readTokenSubmission(input);
      assert.equal(hash, readSubmission(input));
      const members = membersOf(jsonTextOf(input));
      assert.deepEqual([hash, token], [members["hash"], members["issuer_token"] ?? null]);
    },
  },
  {
    name: "readBulkSubmission",
    covers: ["readBulkSubmission", "readPlainBulk", "readAnyBulk"].map((name) =>
      `http/gateway/submission.ts#${name}`
    ),
    codes: SUBMISSION_CODES,
    seeds: [
      JSON.stringify({ hashes: [HASH, HASH], issuer_tokens: [null, "a"] }),
      JSON.stringify({ hashes: [HASH, HASH, HASH] }),
      JSON.stringify({ hashes: Array<string>(1_000).fill(HASH) }),
    ],
    share: 0.5,
    read(input) {
      const plainly = readPlainBulk(input);
      if (plainly !== undefined) assert.deepEqual(readAnyBulk(input).digests, plainly);
      const { digests, tokens } = readBulkSubmission(input);
      const members = membersOf(jsonTextOf(input));
      assert.deepEqual(digests.toHex().match(/.{64}/g), members["hashes"]);
      assert.deepEqual(tokens, members["issuer_tokens"] ?? null);
    },
  },
  {
    name: "readShortest",
    covers: ["http/gateway/submission.ts#readShortest"],
    codes: SUBMISSION_CODES,
    seeds: [`{"hash":"${HASH}"}`],
    read(input) {
      if (String(input.length) !== SHORTEST_LENGTH) return false;
      // As a request decodes its body: without a byte order mark, and with invalid UTF-8 replaced.
      const text = new TextDecoder().decode(input);
      assert.deepEqual(resultOf(() => readShortest(text)), resultOf(() => readSubmission(input)));
      return readShortest(text).length === HASH.length;
    },
  },
  {
    name: "readRoundsRequest",
    covers: ["http/witness/witness_requests.ts#readRoundsRequest"],
    codes: REQUEST_CODES,
    seeds: ['{"from":7}'],
    read: ofText((text) => {
      assert.deepEqual(readRoundsRequest(text), membersOf(text));
      return true;
    }),
  },
  {
    name: "readRoundRequest",
    covers: ["http/witness/witness_requests.ts#readRoundRequest"],
    codes: REQUEST_CODES,
    seeds: [{}, { beacon: null }, { beacon: QUICKNET_BEACONS[0] }].map((members) =>
      JSON.stringify(roundBody(members))
    ),
    read: ofText((text) => {
      const { networkId, timestamp, firstSequence, digests, beacon } = readRoundRequest(text);
      assert.deepEqual({ beacon: null, ...membersOf(text) }, {
        beacon,
        network_id: networkId,
        timestamp,
        first_sequence: firstSequence,
        hashes: digests.toHex().match(/.{64}/g) ?? [],
      });
    }),
  },
  {
    name: "readLatestBeacon",
    covers: ["http/outgoing/drand_relay.ts#readLatestBeacon"],
    codes: ["beacon_unavailable"],
    seeds: QUICKNET_BEACONS.map(({ round, signature }) =>
      JSON.stringify({ round, randomness: HASH, signature })
    ),
    share: 0.5,
    read: ofText((text) => {
      const beacon = readLatestBeacon(text, QUICKNET);
      // A result is a beacon only if the input is that beacon.
      const isReal = QUICKNET_BEACONS.some(({ round, signature }) =>
        round === beacon.round && signature === beacon.signature
      );
      assert.deepEqual(verifyBeacons(bls, QUICKNET, [beacon]), [isReal]);
    }),
  },
  {
    name: "readEpochEndRequest",
    covers: ["http/witness/witness_requests.ts#readEpochEndRequest"],
    codes: REQUEST_CODES,
    seeds: [JSON.stringify({
      ...cosignBody(5, 9),
      epoch: 1,
      succession: "0f".repeat(32),
      attested_at: 1_800_000_000,
      inclusion_path: ["ab".repeat(32)],
    })],
    read: ofText((text) => {
      const request = readEpochEndRequest(text);
      assert.deepEqual(membersOf(text), {
        tree_head: request.treeHead,
        log_signature: request.logSignature.toHex(),
        old_size: request.oldSize,
        consistency_path: request.consistencyPath.map((hash) => hash.toHex()),
        ...(request.epoch !== undefined && { epoch: request.epoch }),
        succession: request.succession,
        attested_at: request.attestedAt,
        inclusion_path: request.inclusionPath.map((hash) => hash.toHex()),
      });
    }),
  },
  {
    name: "readEpochBeginRequest",
    covers: ["http/witness/witness_requests.ts#readEpochBeginRequest"],
    codes: REQUEST_CODES,
    seeds: [JSON.stringify({
      link: threeEpochs().links[0],
      old_size: 3,
      consistency_path: ["ab".repeat(32)],
    })],
    read: ofText((text) => {
      const { link, oldSize, consistencyPath } = readEpochBeginRequest(text);
      assert.deepEqual(membersOf(text), {
        link,
        old_size: oldSize,
        consistency_path: consistencyPath.map((hash) => hash.toHex()),
      });
    }),
  },
  {
    name: "readCosignRequest",
    covers: ["http/witness/witness_requests.ts#readCosignRequest"],
    codes: REQUEST_CODES,
    seeds: [JSON.stringify(cosignBody(0, 5)), JSON.stringify(cosignBody(5, 9))],
    read: ofText((text) => {
      const { treeHead, logSignature, oldSize, consistencyPath, epoch } = readCosignRequest(text);
      assert.deepEqual(membersOf(text), {
        tree_head: treeHead,
        log_signature: logSignature.toHex(),
        old_size: oldSize,
        consistency_path: consistencyPath.map((hash) => hash.toHex()),
        ...(epoch !== undefined && { epoch }),
      });
    }),
  },
  {
    name: "addCheckpoint",
    covers: [],
    codes: [
      "malformed_text",
      "origin_unknown",
      "log_signature_refused",
      "malformed_request",
      "consistency_refused",
    ],
    seeds: [addCheckpointBody()],
    share: 0.3,
    read: ofText(async (text) => {
      const answer = await testWitness().addCheckpoint(parseAddCheckpoint(text));
      if (answer.kind === "size_conflict") return false;
      // Only a head that the log signed is cosigned.
      assert.ok(text.includes(addCheckpointBody().split("\n\n")[1]!));
      return true;
    }),
  },
  {
    name: "readParameters",
    covers: ["http/parameters.ts#readParameters"],
    codes: ["malformed_hash", "malformed_parameter"],
    seeds: [`hash=${HASH}&tree_size=12`, `hash=${HASH}`],
    read: ofText((text) => {
      const query = new URLSearchParams(text);
      const read = readParameters(PARAMETERS, (name) => query.getAll(name));
      assert.deepEqual(query.getAll("hash"), [read.hash]);
      const sizes = read.tree_size === undefined ? [] : [String(read.tree_size)];
      assert.deepEqual(query.getAll("tree_size"), sizes);
    }),
  },
  {
    name: "waitSeconds",
    covers: ["http/gateway/attestation_handlers.ts#waitSeconds"],
    codes: [],
    seeds: ['respond-async, wait=10;foo="a, b" ; c, wait=5', 'a="x\\"y", WAIT = "7"'],
    read: ofText((text) => {
      const seconds = waitSeconds(text);
      if (seconds === undefined) return false;
      assert.ok(Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_WAIT_SECONDS);
      assert.match(text, /wait/i);
      return true;
    }),
  },
  {
    name: "pathOf",
    covers: ["http/request_path.ts#pathOf"],
    codes: [],
    seeds: [`/v1/attestations/${HASH}?a=/b#c`, "/tile/0/x001/000.p/5"],
    read: ofText((text) => {
      const path = pathOf({ url: `http://gateway.test${text}` } as Request);
      assert.ok(path === "" || path.startsWith("/"));
      assert.doesNotMatch(path, /[?#]/);
    }),
  },
  {
    name: "requireJson",
    covers: ["http/body.ts#requireJson"],
    codes: ["unsupported_media_type"],
    seeds: ["application/json", "Application/JSON ; charset=utf-8"],
    read: ofText((text) => {
      // Without Deno's Headers, which take quadratic time for a long value.
      const get = (name: string) => name === "content-type" ? text : null;
      requireJson({ get } as Partial<Headers> as Headers);
      assert.match(text, /^application\/json[ \t]*(;|$)/i);
      return true;
    }),
  },
];

/** A request that {@linkcode testWitness} cosigns. */
export function addCheckpointBody(): string {
  const text = encodeCheckpointBody(log.head(tree, 5));
  const { origin: name, signer } = log;
  const key = { name, type: NOTE_TYPE.ed25519, publicKey: signer.publicKey };
  const signatures = [noteSignature(key, signer.sign(utf8(text)))];
  return encodeAddCheckpoint({ oldSize: 0, consistencyPath: [], checkpoint: { text, signatures } });
}

const job = {
  hash: HASH,
  status: "confirmed",
  progress: "batched",
  attempts: 1,
  created_at: 1,
  updated_at: 2,
  signed_attestation: sides[0].bundle.signed_attestation,
  batch_id: 12,
};
const waiting = {
  hash: HASH,
  status: "retryable",
  progress: "unconfirmed",
  attempts: 2,
  created_at: 1,
  updated_at: 2,
  next_attempt_at: 9,
  last_error: { code: "overloaded", message: "m" },
};
const summary = { id: "a/b", threshold: 2, signature_scheme: "bls", witness_count: 3 };
const anchor = { provider: "a", status: "confirmed", timestamp: 5 };

/** An answer with members that this version may not know: what is read stands in the text. */
function answer(
  name: string,
  covered: string,
  code: "malformed_bundle" | "gateway_refused",
  seeds: readonly unknown[],
  parse: (text: string) => unknown,
): Target {
  return {
    name,
    covers: [covered],
    codes: [code],
    seeds: seeds.map((seed) => JSON.stringify(seed)),
    read: ofText((text) => {
      const read = parse(text);
      const said = plain(parseStrictJson(text, code));
      assertWithin(JSON.parse(JSON.stringify(read)) as JsonValue, said as JsonValue);
    }),
  };
}

/** Requires of every member of `read` that `said` has it too, with the same value. */
function assertWithin(read: JsonValue, said: JsonValue): void {
  if (typeof read !== "object" || read === null) return assert.equal(read, said);
  for (const [name, value] of Object.entries(read)) {
    assertWithin(value, (said as Record<string, JsonValue>)[name]!);
  }
}

const ANSWERS: readonly Target[] = [
  answer("parseJobSnapshot", "proof/format/job_snapshot.ts#parseJobSnapshot", "malformed_bundle", [
    job,
    waiting,
  ], parseJobSnapshot),
  answer(
    "parseJobSnapshots",
    "proof/format/job_snapshot.ts#parseJobSnapshots",
    "malformed_bundle",
    [
      [job, waiting],
    ],
    parseJobSnapshots,
  ),
  answer("parseSummary", "client/gateway_answers.ts#parseSummary", "gateway_refused", [
    { ...summary, more: 1 },
  ], parseSummary),
  answer("parseAnchors", "client/gateway_answers.ts#parseAnchors", "gateway_refused", [
    [],
    [{ ...anchor, more: {} }],
  ], parseAnchors),
  {
    name: "readRefusal",
    covers: ["proof/format/gateway_refusal.ts#readRefusal"],
    codes: [],
    seeds: [JSON.stringify({ code: "overloaded", detail: "Cannot", status: 503 })],
    read(input) {
      const headers = { "Retry-After": "7" };
      const refusal = readRefusal("job", new Response(null, { status: 503, headers }), input);
      assert.ok(refusal instanceof GatewayRefusal);
      assert.equal(refusal.retryAfter, 7);
      // Untrusted text is truncated, so that a message stays one line.
      assert.ok(utf8(refusal.message).length < 2_000);
    },
  },
];

/** A witness's signature, as it comes over a socket. */
const WITNESS_ANSWER: Target = {
  name: "HttpWitnessClient",
  covers: [],
  codes: ["witness_refused"],
  seeds: [JSON.stringify({ witness_id: "a/w1", signature: "ab".repeat(64), more: [] })],
  share: 0.2,
  async read(input) {
    await served(() => new Response(input), async (url) => {
      const signature = await clientOf(url).sign(round(), patience());
      assert.equal(membersOf(new TextDecoder().decode(input))["signature"], signature.toHex());
    });
  },
};

export const WIRE_TARGETS: readonly Target[] = [...REQUESTS, ...ANSWERS, WITNESS_ANSWER];
