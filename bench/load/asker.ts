/**
 * Sends single requests to a gateway, outside of the measurement.
 *
 * @module
 */

import { systemClock } from "../../src/base/clock.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import type { IssuedTokens } from "./issued_tokens.ts";

const POLL_MS = 20;

/** A gateway by its URL. */
export class Asker {
  readonly #url: URL;
  /** Tokens, one for each submitted hash. */
  tokens: IssuedTokens | undefined;

  constructor(url: URL) {
    this.#url = url;
  }

  /** The answer to `path` with status 200; rejects on any other. */
  async bytes(path: string, prefer?: string): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#get(path, prefer);
    const body = await response.bytes();
    if (response.status === 200) return body;
    throw new Error(`Cannot read ${path}: status 200 required, found ${response.status}`);
  }

  async text(path: string, prefer?: string): Promise<string> {
    return new TextDecoder().decode(await this.bytes(path, prefer));
  }

  async network(): Promise<NetworkConfiguration> {
    return parseNetwork(await this.text("/v1/network"));
  }

  /** Leaves under the latest published head; 0 without a head. */
  async treeSize(): Promise<number> {
    const response = await this.#get("/v1/log/sth");
    const text = await response.text();
    return response.status === 404 ? 0 : JSON.parse(text).tree_head.tree_size;
  }

  /** Accepted and not yet confirmed. */
  async pendingCount(): Promise<number> {
    return JSON.parse(await this.text("/v1/status")).pending_count;
  }

  /** Submits one hash and waits for its signatures: its sequence. */
  async submit(hash: string, waitSeconds: number): Promise<number> {
    const response = await fetch(new URL("/v1/attestations", this.#url), {
      method: "POST",
      headers: { "Content-Type": "application/json", "Prefer": `wait=${waitSeconds}` },
      body: JSON.stringify({ hash, issuer_token: this.tokens?.take() ?? null }),
    });
    const text = await response.text();
    if (response.status === 200) return JSON.parse(text).signed_attestation.attestation.sequence;
    throw new Error(`Cannot submit ${hash}: status 200 required, found ${response.status}`);
  }

  /** Resolves when every accepted hash is confirmed; rejects after `ms`. */
  confirmed(ms: number): Promise<void> {
    return this.#until("all confirmed", ms, async () => await this.pendingCount() === 0);
  }

  /** Resolves when a published head covers `size` leaves; rejects after `ms`. */
  published(size: number, ms: number): Promise<void> {
    return this.#until(`a head of ${size}`, ms, async () => await this.treeSize() >= size);
  }

  async #until(what: string, ms: number, isDone: () => Promise<boolean>): Promise<void> {
    const endMs = performance.now() + ms;
    while (!await isDone()) {
      if (performance.now() > endMs) {
        throw new Error(`Cannot go on: ${what} within ${ms} ms required`);
      }
      await systemClock.sleep(POLL_MS);
    }
  }

  #get(path: string, prefer?: string): Promise<Response> {
    const headers: HeadersInit = prefer === undefined ? {} : { Prefer: prefer };
    return fetch(new URL(path, this.#url), { headers });
  }
}
