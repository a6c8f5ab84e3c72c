/**
 * Asks a witness over HTTP (protocol.md "Witness").
 *
 * @module
 */

import { type Bytes, hexOf, textOf } from "../bytes.ts";
import { type Clock, systemClock } from "../clock.ts";
import { CountersignError, ERROR_CODES, type ErrorCode } from "../errors.ts";
import { Fields } from "../format/fields.ts";
import type { Beacon } from "../format/round.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import { SIGNATURE_LENGTH, type SignatureScheme } from "../format/signature_set.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import { WITNESS_TIME_HEADER } from "../format/witness_request.ts";
import type { CosignAnswer, CosignRequest, RoundRequest, WitnessClient } from "../gateway/ports.ts";
import type { WitnessClocks } from "../gateway/witness_clocks.ts";
import { readBounded } from "./bounded_body.ts";
import { witnessRefusal } from "./witness_refusal.ts";

/** Answers and problems are a few hundred bytes. */
const MAX_ANSWER_BYTES = 16 * 1024;

/** What a witness refuses with only after it has accepted the time. */
const REFUSALS_AFTER_TIME: ReadonlySet<unknown> = new Set<ErrorCode>([
  "beacon_refused",
  "consistency_refused",
  "sequence_conflict",
]);

/** Where a witness is, and who it has to be. */
export interface HttpWitnessOptions {
  readonly id: string;
  readonly publicKey: Bytes;
  readonly scheme: SignatureScheme;
  readonly networkId: string;
  readonly url: string;
  readonly token: string;
  /** Allows `http:` beyond loopback. */
  readonly insecure?: boolean;
  /** Compares the witness's clock with `clock`. */
  readonly clocks?: Pick<WitnessClocks, "read" | "timeAnswered">;
  /** The machine's when absent. */
  readonly clock?: Clock;
}

interface Answer {
  readonly status: number;
  /** The members of the answer or problem; `witness_refused` when the body is no JSON object. */
  members(): Fields;
}

/**
 * {@linkcode WitnessClient} over `fetch`, which keeps connections open between requests. Time is
 * limited by the caller's signal alone. Who signed is not taken from an answer: the caller verifies
 * with the configured key.
 */
export class HttpWitnessClient implements WitnessClient {
  readonly id: string;
  readonly #options: HttpWitnessOptions;
  readonly #base: URL;

  /** `invalid_configuration` for a URL that {@linkcode parseServiceUrl} refuses. */
  constructor(options: HttpWitnessOptions) {
    this.id = options.id;
    this.#options = options;
    this.#base = parseServiceUrl(options.url, { insecure: options.insecure ?? false });
  }

  async sign(request: RoundRequest, signal: AbortSignal): Promise<Bytes> {
    return this.#signatureOf(await this.#post("v1/sign", roundBody(request), signal));
  }

  async cosign(request: CosignRequest, signal: AbortSignal): Promise<CosignAnswer> {
    const { network_id, tree_size, timestamp, root_hash } = request.treeHead;
    const body = JSON.stringify({
      tree_head: { network_id, tree_size, timestamp, root_hash },
      log_signature: hexOf(request.logSignature),
      old_size: request.oldSize,
      consistency_path: request.consistencyPath.map(hexOf),
    });
    const answer = await this.#post("v1/cosign", body, signal);
    if (answer.status === 409) {
      const size = answer.members().count("size");
      this.#options.clocks?.timeAnswered(this.id, false);
      return { kind: "size_conflict", size };
    }
    return { kind: "cosigned", signature: this.#signatureOf(answer) };
  }

  /** `witness_refused` when another witness, key or network answers; or the code of the refusal. */
  async checkHealth(signal: AbortSignal): Promise<void> {
    const { id, publicKey, networkId } = this.#options;
    const probe = await this.#post("v1/probe", "{}", signal);
    const answer = lacksProbe(probe) ? await this.#askOlder(signal) : probe;
    const body = answer.members();
    if (answer.status !== 200) throw this.#refusalOf(body);
    if (
      body.value("id") !== id || body.value("pubkey") !== hexOf(publicKey) ||
      body.value("network_id") !== networkId
    ) {
      throw new CountersignError(
        "witness_refused",
        `Cannot use witness ${id}: its configured id, key and network required, found others`,
      );
    }
  }

  /** Without a probe, only signing tests the token and the disk. */
  async #askOlder(signal: AbortSignal): Promise<Answer> {
    const [health, info] = await Promise.all([
      this.#fetch("health", {}, signal),
      this.#fetch("v1/info", {}, signal),
    ]);
    return health.status === 200 ? info : health;
  }

  #post(path: string, body: string, signal: AbortSignal): Promise<Answer> {
    return this.#fetch(path, {
      method: "POST",
      headers: {
        "Authorization": `Bearer ${this.#options.token}`,
        "Content-Type": "application/json",
      },
      body,
    }, signal);
  }

  async #fetch(path: string, init: RequestInit, signal: AbortSignal): Promise<Answer> {
    const { clock = systemClock } = this.#options;
    const sentMs = clock.nowMs();
    let response, body;
    try {
      // A redirect would carry the token to a place that nobody configured.
      response = await fetch(new URL(path, this.#base), { ...init, redirect: "error", signal });
      this.#readClock(response.headers, sentMs, clock.nowMs());
      body = await readBounded(response, MAX_ANSWER_BYTES);
    } catch (cause) {
      throw new CountersignError(
        "witness_unreachable",
        `Cannot ask witness ${this.id}: an answer in time required, found none`,
        { cause },
      );
    }
    return { status: response.status, members: () => this.#membersOf(body) };
  }

  /** The witness read its clock between the two moments. */
  #readClock(headers: Headers, sentMs: number, receivedMs: number): void {
    const text = headers.get(WITNESS_TIME_HEADER);
    if (text === null || !/^[0-9]{1,15}$/.test(text) || receivedMs < sentMs) return;
    const timeMs = Number(text);
    const bounds = { leastMs: timeMs - receivedMs, mostMs: timeMs - sentMs };
    this.#options.clocks?.read(this.id, bounds);
  }

  #membersOf(body: Bytes | undefined): Fields {
    const code = "witness_refused";
    const where = `answer of witness ${this.id}`;
    if (body === undefined) {
      throw new CountersignError(
        code,
        `Cannot read ${where}: at most ${MAX_ANSWER_BYTES} bytes required, found more`,
      );
    }
    const value = parseStrictJson(textOf(body, code), code);
    return new Fields(value, { where, code }, [], { ignoreUnknown: true });
  }

  #signatureOf(answer: Answer): Bytes {
    const { status } = answer;
    const body = answer.members();
    if (status !== 200) {
      const code = body.value("code");
      if (code === "time_refused") this.#options.clocks?.timeAnswered(this.id, true);
      else if (REFUSALS_AFTER_TIME.has(code)) this.#options.clocks?.timeAnswered(this.id, false);
      // Only with 409 does the size stand in the problem (protocol.md "Witness").
      const hasSize = status === 409 && code === "sequence_conflict";
      throw this.#refusalOf(body, hasSize ? body.count("size") : undefined);
    }
    this.#options.clocks?.timeAnswered(this.id, false);
    return Uint8Array.fromHex(body.hex("signature", SIGNATURE_LENGTH[this.#options.scheme]));
  }

  #refusalOf(body: Fields, size?: number): CountersignError {
    const code = body.value("code");
    return witnessRefusal(this.id, typeof code === "string" ? code : undefined, { size });
  }
}

/**
 * True for the answer of an older witness, or of a proxy that refuses a route that it does not know:
 * any 4xx but a witness's own refusal.
 */
function lacksProbe(answer: Answer): boolean {
  if (answer.status === 404) return true;
  return answer.status >= 400 && answer.status < 500 && !hasKnownCode(answer);
}

function hasKnownCode(answer: Answer): boolean {
  try {
    const code = answer.members().value("code");
    return ERROR_CODES.some((known) => known === code);
  } catch {
    return false;
  }
}

/** Bodies by request: all witnesses of a round are sent the same one. */
const roundBodies = new WeakMap<RoundRequest, string>();

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
  });
  roundBodies.set(request, body);
  return body;
}

function beaconMembers({ chain_hash, round, signature }: Beacon): Beacon {
  return { chain_hash, round, signature };
}
