/**
 * A gateway as the page meets it, which shows whatever log a test lets it show, and a browser's
 * storage that may be full, blocked or shared with another tab.
 *
 * @module
 */

import { utf8 } from "../../src/base/bytes.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { HeadStore, type TextStorage } from "../../src/client/head_store.ts";
import type { GatewayAnswer } from "../../src/client/gateway_connection.ts";
import type { LogCheckContext } from "../../src/client/log_check.ts";
import { GatewayRefusal } from "../../src/proof/format/gateway_refusal.ts";
import { encodeNote, noteSignature } from "../../src/proof/format/note_writer.ts";
import type { SuccessionLink } from "../../src/proof/format/succession.ts";
import { encodeCheckpointBody } from "../../src/proof/format/tree_head.ts";
import { TIME } from "../gateway/federation/histories.ts";
import { nativeCrypto, type TestLog, type TestNetwork } from "../proof/verify/fixture.ts";

type LogGateway = LogCheckContext["gateway"];

export const FINGERPRINT = "ab".repeat(32);

/** What a gateway answers with `code`. */
export function refusal(
  code: "no_tree_head" | "tree_size_not_published" | "route_not_found" | "internal",
) {
  return new GatewayRefusal("tree head", { status: code === "internal" ? 500 : 404, reason: code });
}

export function unreachable(): CountersignError {
  return new CountersignError("gateway_unreachable", "Cannot obtain tree head: found none");
}

type Question = "head" | "consistency" | "checkpoint" | "succession";

/** Shows `log` at `size`; every member may be put another way. */
export class ShownLog implements LogGateway {
  log: TestLog;
  size: number;
  timestamp = TIME;
  places: readonly number[] | undefined;
  /** The chain of the log's network. */
  links: readonly SuccessionLink[] = [];
  readonly asked: string[] = [];
  /** Thrown instead of an answer to the question named. */
  readonly refuses = new Map<Question, unknown>();
  /** Called before the head is answered. */
  beforeHead: () => void = () => {};

  constructor(log: TestLog, size: number) {
    this.log = log;
    this.size = size;
  }

  sth() {
    this.beforeHead();
    return this.#json("head", () => this.log.sth(this.size, this.timestamp, this.places));
  }

  consistency(first: number, second: number) {
    this.asked.push(`${first} to ${second}`);
    return this.#json("consistency", () => {
      const { log } = this;
      return log.consistencyProof(log.sth(first, TIME), log.sth(second, TIME));
    });
  }

  checkpoint() {
    return this.#answer("checkpoint", () => {
      const { network } = this.log;
      const text = encodeCheckpointBody(this.log.head(this.size, this.timestamp));
      const own = noteSignature(network.logKey, network.log.sign(utf8(text)));
      return encodeNote({ text, signatures: [own] });
    });
  }

  succession() {
    return this.#json("succession", () => this.links);
  }

  async #json<T>(question: Question, make: () => T): Promise<GatewayAnswer<T>> {
    const value = await this.#answer(question, make);
    return { text: JSON.stringify(value), value };
  }

  #answer<T>(question: Question, make: () => T): Promise<T> {
    const refused = this.refuses.get(question);
    return refused === undefined ? Promise.resolve(make()) : Promise.reject(refused);
  }
}

/** Storage in memory. */
export class MemoryStorage implements TextStorage {
  readonly texts = new Map<string, string>();
  isFull = false;
  isBlocked = false;

  readonly open = (): TextStorage => {
    if (this.isBlocked) throw new DOMException("denied", "SecurityError");
    return this;
  };

  getItem(key: string): string | null {
    return this.texts.get(key) ?? null;
  }

  setItem(key: string, text: string): void {
    if (this.isFull) throw new DOMException("no room", "QuotaExceededError");
    this.texts.set(key, text);
  }

  removeItem(key: string): void {
    this.texts.delete(key);
  }
}

/** What a page checks with that trusts `network`. */
export function contextOf(
  network: TestNetwork,
  gateway: LogGateway,
  storage: MemoryStorage,
): LogCheckContext {
  return {
    crypto: nativeCrypto,
    network: network.configuration,
    fingerprint: FINGERPRINT,
    gateway,
    store: new HeadStore(storage.open),
    now: () => TIME + 100,
  };
}
