/**
 * Client of a witness over HTTP (protocol.md "Witness").
 *
 * @module
 */

import { type Bytes, bytesOfHex, fromHex, hexOf, textOf } from "../../base/bytes.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { ML_DSA_SIGNATURE_LENGTH } from "../../proof/crypto/ml_dsa_lengths.ts";
import { CountersignError, type ErrorCode } from "../../base/errors.ts";
import { BEACON, type Beacon, MAX_ROUND_SIZE } from "../../proof/format/round.ts";
import {
  ANY_JSON,
  COUNT,
  HASH,
  hex,
  list,
  object,
  type Of,
  orNull,
  type Schema,
  TEXT,
} from "../../proof/format/schema.ts";
import { parseServiceUrl } from "../../proof/format/service_url.ts";
import { SIGNATURE_LENGTH, type SignatureScheme } from "../../proof/format/signature_set.ts";
import {
  type CosignAnswer,
  type CosignRequest,
  type EpochBeginAnswer,
  type EpochBeginRequest,
  type EpochEndRequest,
  type EpochState,
  MAX_ROUNDS_LISTED,
  type RoundRequest,
  type RoundText,
  WITNESS_TIME_HEADER,
  type WitnessReach,
} from "../../proof/format/witness_request.ts";
import type { WitnessClient, WitnessEpochs } from "../../gateway/ports.ts";
import type { WitnessClocks } from "../../gateway/signing/witness_clocks.ts";
import { sendRequest } from "../../client/http_client.ts";
import { witnessRefusal } from "./witness_refusal.ts";

/** Answers and problems are a few hundred bytes. */
const MAX_ANSWER_BYTES = 16 * 1024;

/** Refusals that show that the witness accepted the time of the request: it checks the time first. */
const REFUSALS_AFTER_TIME: ReadonlySet<string> = new Set<ErrorCode>([
  "beacon_refused",
  "consistency_refused",
]);

/**
 * HTTP/1.1 alone. Over HTTP/2 the runtime sends a body of over 1,024 bytes in two writes, and Nagle's algorithm
 * holds the second one until the first is acknowledged, up to 40 ms later.
 */
const http1 = Deno.createHttpClient({ http2: false });

export interface HttpWitnessOptions {
  readonly id: string;
  readonly publicKey: Bytes;
  readonly scheme: SignatureScheme;
  readonly networkId: string;
  readonly url: string;
  readonly token: string;
  /** Allows `http:` beyond loopback. */
  readonly insecure?: boolean;
  /** Receives readings of the witness's clock, compared with `clock`. */
  readonly clocks?: Pick<WitnessClocks, "read" | "timeAnswered"> | undefined;
  /** The machine's when absent. */
  readonly clock?: Clock;
}

const PROBE = object({
  id: TEXT,
  pubkey: TEXT,
  network_id: TEXT,
  size: COUNT,
  root_hash: HASH.convert(fromHex).optional(),
  signed_end: COUNT,
  epoch: COUNT.withDefault(0),
  ended: HASH.optional(),
  armed: HASH.optional(),
}, "allowed");

const ROUNDS = object({
  rounds: list(
    object({
      first_sequence: COUNT,
      size: COUNT.map(
        (size) => size >= 1 && size <= MAX_ROUND_SIZE ? size : undefined,
        `an integer from 1 to ${MAX_ROUND_SIZE}`,
      ),
      timestamp: COUNT,
      beacon: orNull(BEACON),
      root: HASH.convert(fromHex),
    }),
    0,
    MAX_ROUNDS_LISTED,
  ),
}, "allowed");

function signedBy(scheme: SignatureScheme) {
  return object({
    signature: hex(SIGNATURE_LENGTH[scheme], "Over the request").convert(fromHex),
    /** Not checked here: `signature` counts even if this one is missing or malformed. */
    ml_dsa_signature: ANY_JSON.optional(),
  }, "allowed");
}

const PROBLEM = object({ code: TEXT, size: COUNT.optional() }, "allowed");

const SIZE_CONFLICT = object({ size: COUNT }, "allowed");

interface Answer {
  readonly status: number;
  /** Parses the body by `schema`; `witness_refused`. */
  read<T>(schema: Schema<T>): T;
}

/**
 * {@linkcode WitnessClient} over HTTP. Only the caller's signal limits the time. Signatures are not
 * verified here: the caller verifies them with the configured key.
 */
export class HttpWitnessClient implements WitnessClient {
  readonly id: string;
  readonly epochs: WitnessEpochs = {
    state: (signal) => this.#epochState(signal),
    end: (request, signal) => this.#endEpoch(request, signal),
    begin: (request, signal) => this.#beginEpoch(request, signal),
  };
  readonly #options: HttpWitnessOptions;
  readonly #base: URL;

  /** `invalid_configuration` for a URL that {@linkcode parseServiceUrl} rejects. */
  constructor(options: HttpWitnessOptions) {
    this.id = options.id;
    this.#options = options;
    this.#base = parseServiceUrl(options.url, { insecure: options.insecure ?? false });
  }

  async sign(request: RoundRequest, signal: AbortSignal): Promise<Bytes> {
    return this.#signedIn(await this.#post("v1/sign", roundBody(request), signal)).signature;
  }

  async roundsFrom(from: number, signal: AbortSignal): Promise<readonly RoundText[]> {
    const answer = await this.#post("v1/rounds", JSON.stringify({ from }), signal);
    if (answer.status !== 200) throw this.#refusalOf(answer);
    return answer.read(ROUNDS).rounds.map(({ first_sequence: first, ...round }) => ({
      first,
      ...round,
    }));
  }

  async cosign(request: CosignRequest, signal: AbortSignal): Promise<CosignAnswer> {
    const answer = await this.#post("v1/cosign", JSON.stringify(cosignMembers(request)), signal);
    return this.#cosignAnswerOf(answer);
  }

  async reach(signal: AbortSignal): Promise<WitnessReach> {
    const { size, root_hash: root, signed_end: signedEnd } = await this.#probe(signal);
    return { size, root, signedEnd };
  }

  async #epochState(signal: AbortSignal): Promise<EpochState> {
    const { epoch, ended, armed } = await this.#probe(signal);
    return { epoch, ended, armed };
  }

  async #endEpoch(request: EpochEndRequest, signal: AbortSignal): Promise<CosignAnswer> {
    const body = JSON.stringify({
      ...cosignMembers(request),
      succession: request.succession,
      attested_at: request.attestedAt,
      inclusion_path: request.inclusionPath.map(hexOf),
    });
    return this.#cosignAnswerOf(await this.#post("v1/epoch-end", body, signal));
  }

  async #beginEpoch(
    { link, oldSize, consistencyPath }: EpochBeginRequest,
    signal: AbortSignal,
  ): Promise<EpochBeginAnswer> {
    const body = JSON.stringify({
      link,
      old_size: oldSize,
      consistency_path: consistencyPath.map(hexOf),
    });
    const answer = await this.#post("v1/epoch-begin", body, signal);
    const size = sizeConflictOf(answer);
    if (size !== undefined) return { kind: "size_conflict", size };
    if (answer.status !== 200) throw this.#refusalOf(answer);
    return { kind: "begun" };
  }

  #cosignAnswerOf(answer: Answer): CosignAnswer {
    const size = sizeConflictOf(answer);
    if (size !== undefined) {
      this.#options.clocks?.timeAnswered(this.id, false);
      return { kind: "size_conflict", size };
    }
    const { signature, ml_dsa_signature: further } = this.#signedIn(answer);
    const mlDsaSignature = typeof further === "string"
      ? bytesOfHex(further, ML_DSA_SIGNATURE_LENGTH)
      : undefined;
    return { kind: "cosigned", signature, ...(mlDsaSignature && { mlDsaSignature }) };
  }

  async checkHealth(signal: AbortSignal): Promise<void> {
    await this.#probe(signal);
  }

  /** Rejects with `witness_refused` for another id, key or network, or with the witness's refusal. */
  async #probe(signal: AbortSignal): Promise<Of<typeof PROBE>> {
    const answer = await this.#post("v1/probe", "{}", signal);
    if (answer.status === 404) {
      throw new CountersignError(
        "witness_refused",
        `Cannot use witness ${this.id}: it has none of the routes of a Countersign witness. A witness ` +
          "of tlog-witness cosigns checkpoints alone: configure it under witnessing in network.json",
      );
    }
    if (answer.status !== 200) throw this.#refusalOf(answer);
    const { id, publicKey, networkId } = this.#options;
    const probe = answer.read(PROBE);
    const { id: named, pubkey, network_id: network } = probe;
    if (named !== id || pubkey !== hexOf(publicKey) || network !== networkId) {
      throw new CountersignError(
        "witness_refused",
        `Cannot use witness ${id}: it answers with an id, key or network that is not the configured one`,
      );
    }
    return probe;
  }

  async #post(path: string, body: string, signal: AbortSignal): Promise<Answer> {
    const { clock = systemClock, token } = this.#options;
    const sentMs = clock.nowMs();
    const code = "witness_unreachable";
    const answer = await sendRequest(new URL(path, this.#base), {
      method: "POST",
      headers: { "Authorization": `Bearer ${token}`, "Content-Type": "application/json" },
      body,
      fetch: (input, init) => fetch(input, { ...init, client: http1 }),
      maxBytes: MAX_ANSWER_BYTES,
      signal,
      failure: `Cannot ask witness ${this.id}`,
      codes: { unreachable: code, redirected: code },
      onHeaders: (headers) => this.#readClock(headers, sentMs, clock.nowMs()),
    });
    return { status: answer.status, read: (schema) => this.#read(schema, answer.body) };
  }

  /**
   * Bounds the difference of the clocks: the witness read its own between `sentMs` and `receivedMs` of ours.
   * The header is missing if a proxy answered instead of the witness.
   */
  #readClock(headers: Headers, sentMs: number, receivedMs: number): void {
    const text = headers.get(WITNESS_TIME_HEADER);
    if (text === null || !/^[0-9]{1,15}$/.test(text) || receivedMs < sentMs) return;
    const timeMs = Number(text);
    const bounds = { leastMs: timeMs - receivedMs, mostMs: timeMs - sentMs };
    this.#options.clocks?.read(this.id, bounds);
  }

  #read<T>(schema: Schema<T>, body: Bytes): T {
    const code = "witness_refused";
    return schema.parseText(textOf(body, code), { where: `answer of witness ${this.id}`, code });
  }

  #signedIn(answer: Answer) {
    if (answer.status === 200) {
      const signed = answer.read(signedBy(this.#options.scheme));
      this.#options.clocks?.timeAnswered(this.id, false);
      return signed;
    }
    const { code } = answer.read(PROBLEM);
    if (code === "time_refused") this.#options.clocks?.timeAnswered(this.id, true);
    else if (REFUSALS_AFTER_TIME.has(code)) this.#options.clocks?.timeAnswered(this.id, false);
    throw this.#refusalOf(answer);
  }

  #refusalOf(answer: Answer): CountersignError {
    const { code, size } = answer.read(PROBLEM);
    // Only a 409 has the member `size` (protocol.md "Witness").
    return witnessRefusal(this.id, code, { size: answer.status === 409 ? size : undefined });
  }
}

/** The size that the witness has cosigned, if it refused because it is another one than requested. */
function sizeConflictOf(answer: Answer): number | undefined {
  if (answer.status !== 409) return undefined;
  const { code } = answer.read(PROBLEM);
  // These two conflicts are not about a size.
  if (code === "epoch_mismatch" || code === "sequence_conflict") return undefined;
  return answer.read(SIZE_CONFLICT).size;
}

/** The members of a request to cosign a head. */
export function cosignMembers(request: CosignRequest) {
  const { network_id, tree_size, timestamp, root_hash } = request.treeHead;
  return {
    tree_head: { network_id, tree_size, timestamp, root_hash },
    log_signature: hexOf(request.logSignature),
    old_size: request.oldSize,
    consistency_path: request.consistencyPath.map(hexOf),
    epoch: request.epoch,
  };
}

/** Bodies by request: all witnesses of a round get the same one. */
const roundBodies = new WeakMap<RoundRequest, string>();

/** The body of a request to sign a round. */
function roundBody(request: RoundRequest): string {
  const made = roundBodies.get(request);
  if (made !== undefined) return made;
  const hex = hexOf(request.digests);
  const body = JSON.stringify({
    network_id: request.networkId,
    timestamp: request.timestamp,
    first_sequence: request.firstSequence,
    hashes: Array.from({ length: hex.length / 64 }, (_, i) => hex.slice(i * 64, (i + 1) * 64)),
    ...(request.beacon !== null && { beacon: beaconMembers(request.beacon) }),
    epoch: request.epoch,
    vouchers: request.vouchers,
  });
  roundBodies.set(request, body);
  return body;
}

function beaconMembers({ chain_hash, round, signature }: Beacon): Beacon {
  return { chain_hash, round, signature };
}
