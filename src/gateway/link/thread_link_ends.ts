/**
 * The shared memory and ports of the link between a sequencer's thread and its fronts' threads.
 *
 * @module
 */

import type { SharedIndex } from "../index/shared_index.ts";
import type { Snapshot } from "../fronts/ports.ts";
import { newBellMemory } from "../../base/threads/bell.ts";
import { newRingMemory } from "../../base/threads/frame_memory.ts";

/** Bytes: most of what a busy second sends. The rounds of one, with the nodes of their trees, are some 20 MB. */
const UPDATES_CAPACITY = 2 ** 24;
/** Bytes. A bulk request of 1,000 digests with a token for each has 68 kB. */
const REQUESTS_CAPACITY = 2 ** 20;

/** Memory that all fronts of one sequencer share. It can be sent to other threads. */
export interface LinkMemory {
  /** The broadcast ring of updates and outcomes. */
  readonly updates: SharedArrayBuffer;
  /** The bell that wakes the sequencer. */
  readonly sequencerBell: SharedArrayBuffer;
}

/** What one front and the sequencer share besides {@linkcode LinkMemory}. */
interface FrontMemory {
  /** Number of the front, unique over the life of the link. The replacement of a front has another number. */
  readonly front: number;
  /** The ring of requests. */
  readonly requests: SharedArrayBuffer;
  /** The bell that wakes the front. */
  readonly frontBell: SharedArrayBuffer;
  readonly flags: SharedArrayBuffer;
  /** Snapshots and indexes. */
  readonly port: MessagePort;
}

/** The link as the sequencer's thread has it. Send it with `[end.port]` as the list of transfers. */
export type SequencerEnd = FrontMemory;

/** The link as the front's thread has it. Send it with `[end.port]` as the list of transfers. */
export interface FrontEnd extends FrontMemory, LinkMemory {}

/** Indexes of the words of {@linkcode FrontMemory.flags}. */
export const LINK_FLAG = {
  /** The front asks for a snapshot. */
  joins: 0,
  /** The front waits for room in its ring of requests. */
  waitsForRoom: 1,
  /** The sequencer reads no requests any more. */
  closed: 2,
} as const;

/** A message to a front. */
export type LinkMessage =
  /** The state of the sequencer, and the position in the ring at which the updates after it begin. */
  | { readonly snapshot: Snapshot; readonly position: number }
  | { readonly name: "digests" | "spent"; readonly index: SharedIndex };

/** The memory of a new link. Capacities are powers of two, in bytes. A frame has to fit in its ring. */
export function newLinkMemory(updatesCapacity: number = UPDATES_CAPACITY): LinkMemory {
  return { updates: newRingMemory(updatesCapacity), sequencerBell: newBellMemory() };
}

/** Both ends of the link of a new front. */
export function newLinkEnds(
  memory: LinkMemory,
  front: number,
  requestsCapacity: number = REQUESTS_CAPACITY,
): { readonly sequencerEnd: SequencerEnd; readonly frontEnd: FrontEnd } {
  const { port1, port2 } = new MessageChannel();
  const shared = {
    front,
    requests: newRingMemory(requestsCapacity),
    frontBell: newBellMemory(),
    flags: new SharedArrayBuffer(
      Object.keys(LINK_FLAG).length * Int32Array.BYTES_PER_ELEMENT,
    ),
  };
  return {
    sequencerEnd: { ...shared, port: port1 },
    frontEnd: { ...memory, ...shared, port: port2 },
  };
}
