/**
 * Threads that send bursts of frames to one another and sleep between them.
 *
 * @module
 */

import { Bell } from "../../../src/base/threads/bell.ts";
import { BroadcastReader, BroadcastWriter } from "../../../src/base/threads/broadcast_ring.ts";
import { RequestReader, RequestWriter } from "../../../src/base/threads/request_ring.ts";

/** The work of one thread. It posts `"done"`, or its fault. */
export type BurstOrder =
  /** Sends `frames` in bursts, each after the last one came back. */
  | (Pair & { readonly role: "sender"; readonly frames: number; readonly maxBurst: number })
  /** Sends back `frames`. */
  | (Pair & { readonly role: "echo"; readonly frames: number })
  /** Writes `frames` to `updates`, of ascending numbers, without waiting. */
  | { readonly role: "writer"; readonly updates: SharedArrayBuffer; readonly frames: number }
  /** Reads `updates` to frame `frames - 1`; joins at the end after each lap. */
  | { readonly role: "reader"; readonly updates: SharedArrayBuffer; readonly frames: number };

interface Pair {
  readonly output: SharedArrayBuffer;
  readonly outputBell: SharedArrayBuffer;
  readonly input: SharedArrayBuffer;
  readonly inputBell: SharedArrayBuffer;
}

function frameOf(number: number): Uint8Array {
  return new Uint8Array(new Uint32Array(1 + number % 50).fill(number).buffer);
}

/** The number of a frame. Throws if it is damaged. */
function numberOf(frame: Uint8Array): number {
  const words = new Uint32Array(frame.slice().buffer);
  const number = words[0]!;
  if (words.length !== 1 + number % 50 || words.some((word) => word !== number)) {
    throw new Error(`Frame ${number} is damaged`);
  }
  return number;
}

async function send(order: BurstOrder & { role: "sender" }): Promise<void> {
  const { frames, maxBurst } = order;
  const writer = new RequestWriter(order.output);
  const reader = new RequestReader(order.input);
  const [outputBell, inputBell] = [new Bell(order.outputBell), new Bell(order.inputBell)];
  for (let sent = 0, received = 0; received < frames;) {
    const end = Math.min(frames, sent + 1 + Math.floor(Math.random() * maxBurst));
    while (sent < end && writer.tryWrite(frameOf(sent))) {
      sent++;
      outputBell.ring();
      if (Math.random() < 0.1) await Promise.resolve();
    }
    while (received < sent) {
      const frame = reader.read();
      if (frame === undefined) await inputBell.sleep(() => reader.hasMore);
      else if (numberOf(frame) !== received++) throw new Error(`Frame ${received} is missing`);
    }
  }
}

async function echo(order: BurstOrder & { role: "echo" }): Promise<void> {
  const writer = new RequestWriter(order.output);
  const reader = new RequestReader(order.input);
  const [outputBell, inputBell] = [new Bell(order.outputBell), new Bell(order.inputBell)];
  for (let echoed = 0; echoed < order.frames;) {
    const frame = reader.read();
    if (frame === undefined) {
      await inputBell.sleep(() => reader.hasMore);
      continue;
    }
    if (!writer.tryWrite(frame)) throw new Error("The ring is full");
    outputBell.ring();
    echoed++;
  }
}

function write({ updates, frames }: BurstOrder & { role: "writer" }): void {
  const writer = new BroadcastWriter(updates);
  for (let number = 0; number < frames; number++) writer.write(frameOf(number));
}

function read({ updates, frames }: BurstOrder & { role: "reader" }): number {
  // Any writer knows the latest position.
  const join = () => new BroadcastReader(updates, new BroadcastWriter(updates).position);
  let reader = new BroadcastReader(updates, 0);
  let laps = 0;
  for (let last = -1; last < frames - 1;) {
    const frame = reader.read();
    if (frame === "lapped") {
      laps++;
      reader = join();
      // Nothing comes after the last frame.
      if (!reader.hasMore && new BroadcastWriter(updates).position === endOf(frames)) return laps;
    } else if (frame !== undefined) {
      const number = numberOf(frame);
      if (number <= last) throw new Error(`Frame ${number} after ${last}`);
      last = number;
    }
  }
  return laps;
}

function endOf(frames: number): number {
  let end = 0;
  for (let number = 0; number < frames; number++) end += 4 + 4 * (1 + number % 50);
  return end;
}

self.onmessage = async ({ data: order }: MessageEvent<BurstOrder>) => {
  try {
    if (order.role === "sender") await send(order);
    else if (order.role === "echo") await echo(order);
    else if (order.role === "writer") write(order);
    else read(order);
    self.postMessage("done");
  } catch (error) {
    self.postMessage(String(error));
  }
};
