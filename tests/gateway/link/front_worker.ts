/**
 * A front in a thread, over a `ThreadLink`. It does as the test says and records what its follower
 * receives.
 *
 * @module
 */

import { CountersignError, type ErrorCode } from "../../../src/base/errors.ts";
import type { AssignRequest, Follower } from "../../../src/gateway/fronts/ports.ts";
import { errorText } from "../../../src/base/report.ts";
import { ThreadLink } from "../../../src/gateway/link/thread_link.ts";
import type { FrontEnd } from "../../../src/gateway/link/thread_link_ends.ts";
import type { Received } from "../scripted_sequencer.ts";

export type FrontOrder =
  | { readonly start: FrontEnd }
  | { readonly id: number; readonly assign: AssignRequest }
  /** Sets the first word, and blocks the thread until the second is set. */
  | { readonly id: number; readonly blockOn: SharedArrayBuffer }
  | { readonly id: number; readonly catchUp: true }
  /** From now on, the follower throws in this method. */
  | { readonly id: number; readonly failIn: keyof Follower }
  | { readonly id: number; readonly close: true };

export type FrontReply =
  | "joined"
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly code: ErrorCode | undefined; readonly message: string };

const received: Received[] = [];
let failing: keyof Follower | undefined;
const follower = new Proxy({}, {
  get: (_, method: keyof Follower) => (...args: unknown[]) => {
    if (method === failing) throw new Error(`${method} fails`);
    received.push([method, ...args]);
  },
}) as Follower;

let link: ThreadLink;

function obey(order: Exclude<FrontOrder, { start: FrontEnd }>): unknown {
  if ("assign" in order) return link.assign(order.assign);
  if ("blockOn" in order) {
    const words = new Int32Array(order.blockOn);
    Atomics.store(words, 0, 1);
    Atomics.notify(words, 0);
    return void Atomics.wait(words, 1, 0);
  }
  if ("close" in order) return link.close();
  if ("failIn" in order) return void (failing = order.failIn);
  link.catchUp();
  return received.splice(0);
}

self.onmessage = async ({ data: order }: MessageEvent<FrontOrder>) => {
  if ("start" in order) {
    link = new ThreadLink(order.start, follower);
    await link.joined;
    return self.postMessage("joined" satisfies FrontReply);
  }
  const { id } = order;
  try {
    self.postMessage({ id, result: await obey(order) } satisfies FrontReply);
  } catch (error) {
    const code = error instanceof CountersignError ? error.code : undefined;
    self.postMessage({ id, code, message: errorText(error) } satisfies FrontReply);
  }
};
