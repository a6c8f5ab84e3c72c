/**
 * Client of `add-checkpoint` of any witness (c2sp.org/tlog-witness).
 *
 * @module
 */

import { integerOf, textOf } from "../../base/bytes.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { sendRequest } from "../../client/http_client.ts";
import { CountersignError, tryParse } from "../../base/errors.ts";
import { type AddCheckpoint, encodeAddCheckpoint } from "../../proof/format/add_checkpoint.ts";
import { parseSignatureLine } from "../../proof/format/note.ts";
import { parseServiceUrl } from "../../proof/format/service_url.ts";
import type { AddCheckpointAnswer, CheckpointWitness } from "../../gateway/witnessing/ports.ts";

/** A line has up to 5 kB with a signature of ML-DSA. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_LINES = 64;

/** Limit of one request, so that a slow answer does not block the loop of the witness. */
const TIMEOUT_MS = 10_000;

const SIZE_MEDIA_TYPE = "text/x.tlog.size";

/** The reason and what an operator can do, by status. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: "it cannot read our checkpoint",
  403:
    "it does not trust the key of our log; after a succession, send its operators the new log_vkey",
  404: "it does not follow our log; ask its operators with `countersign witness-network request`",
  409: "it has cosigned another size, and does not name it",
  429: "too many requests; raise interval_seconds",
};

export interface CheckpointWitnessOptions {
  readonly name: string;
  /** The submission prefix. */
  readonly url: string;
  /** Allows `http:` beyond loopback. */
  readonly insecure?: boolean;
  /** The machine's when absent. */
  readonly clock?: Clock;
}

/** A client of one foreign witness. It does not verify the answers. */
export class CheckpointWitnessClient implements CheckpointWitness {
  readonly #name: string;
  readonly #url: URL;
  readonly #clock: Clock;

  /** `invalid_configuration` for a URL that {@linkcode parseServiceUrl} rejects. */
  constructor({ name, url, insecure = false, clock = systemClock }: CheckpointWitnessOptions) {
    this.#name = name;
    this.#url = new URL("add-checkpoint", parseServiceUrl(url, { insecure }));
    this.#clock = clock;
  }

  async addCheckpoint(request: AddCheckpoint, signal: AbortSignal): Promise<AddCheckpointAnswer> {
    const code = "witness_unreachable";
    const { status, mediaType, body } = await sendRequest(this.#url, {
      method: "POST",
      headers: { "Content-Type": "text/plain; charset=utf-8" },
      body: encodeAddCheckpoint(request),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      clock: this.#clock,
      signal,
      failure: `Cannot ask witness ${this.#name}`,
      codes: { unreachable: code, redirected: code, tooLarge: "witness_refused" },
    });
    const text = tryParse(() => textOf(body, "witness_refused"));
    if (status === 200) return { kind: "cosigned", lines: this.#linesOf(text) };
    const size = status === 409 && mediaType === SIZE_MEDIA_TYPE && text?.endsWith("\n")
      ? integerOf(text.slice(0, -1))
      : undefined;
    if (size !== undefined) return { kind: "size_conflict", size };
    if (status === 422) {
      throw new CountersignError(
        "consistency_refused",
        `Witness ${this.#name} did not cosign: according to it, our tree does not extend the one that it ` +
          "cosigned. If this persists, compare its checkpoint of our log with ours",
      );
    }
    throw this.#refused(REFUSALS[status] ?? `it answered ${status}`);
  }

  #linesOf(text: string | undefined) {
    const lines = text?.split("\n") ?? [];
    const parsed = lines.pop() === "" && lines.length > 0 && lines.length <= MAX_LINES
      ? tryParse(() => lines.map(parseSignatureLine))
      : undefined;
    if (parsed === undefined) throw this.#refused("its answer is not signature lines");
    return parsed;
  }

  #refused(reason: string): CountersignError {
    return new CountersignError(
      "witness_refused",
      `Witness ${this.#name} did not cosign: ${reason}`,
    );
  }
}
