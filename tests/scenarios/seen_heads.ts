/**
 * The latest tree head as a client saw it, again and again: each by its size, and what no gateway
 * may do with them.
 *
 * @module
 */

import { parseSignedTreeHead } from "../../src/proof/format/bundle.ts";
import { keepsHead } from "../kept_head.ts";
import { IS_LONG } from "../long_runs.ts";
import { HttpClient } from "./http_client.ts";

const PERIOD_MS = IS_LONG ? 40 : 120;

/** Looks until it is stopped, whether or not the gateway lives. */
export class SeenHeads {
  /** Signed tree heads as served, by size. */
  readonly bySize = new Map<number, string>();
  /** What no honest gateway does, in words. */
  readonly contradictions: string[] = [];
  readonly #address: () => Deno.NetAddr;
  readonly #periodMs: number;
  readonly #watching: Promise<void>;
  #latest = 0;
  #isStopped = false;

  /**
   * @param address where the gateway is, or was; asked for each connection
   * @param periodMs milliseconds between two looks
   */
  constructor(address: () => Deno.NetAddr, periodMs = PERIOD_MS) {
    this.#address = address;
    this.#periodMs = periodMs;
    this.#watching = this.#watch();
  }

  /** After a last look. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#watching;
  }

  async #watch(): Promise<void> {
    let connection: HttpClient | undefined;
    for (let isLast = false; !isLast;) {
      isLast = this.#isStopped;
      try {
        connection ??= await HttpClient.open(this.#address());
        const { status, text } = await connection.get("/v1/log/sth");
        if (status === 200) this.#see(text);
      } catch {
        connection?.[Symbol.dispose]();
        connection = undefined;
      }
      if (!isLast) await new Promise((resolve) => setTimeout(resolve, this.#periodMs));
    }
    connection?.[Symbol.dispose]();
  }

  #see(text: string): void {
    const sth = parseSignedTreeHead(text);
    const { tree_size: size } = sth.tree_head;
    if (size < this.#latest) {
      this.contradictions.push(`head of size ${size} served as the latest after ${this.#latest}`);
    }
    this.#latest = size;
    if (!keepsHead(sth, parseSignedTreeHead(this.bySize.get(size) ?? text))) {
      this.contradictions.push(`head of size ${size} served with two contents`);
    }
    this.bySize.set(size, text);
  }
}
