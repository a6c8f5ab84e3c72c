/**
 * A front in another process, as its sequencer has it.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { FrameSocket } from "./frame_socket.ts";
import type { Outcome, Refusal } from "./link_frames.ts";
import type { FrontBeat } from "./socket_frames.ts";

/** A front as operators see it. */
export interface FrontView {
  readonly name: string;
  readonly beat: FrontBeat;
  /** Milliseconds since its last message. */
  readonly silentMs: number;
  /** Requests without an outcome. */
  readonly open: number;
  /** Bytes that it has not read. */
  readonly buffered: number;
}

/** A connection. */
export class ConnectedFront {
  readonly socket: FrameSocket;
  name: string | undefined;
  /** It gets updates. */
  isJoined = false;
  /** Not yet sent. */
  outcomes: Outcome[] = [];
  refusals: Refusal[] = [];
  /** Requests without an outcome. */
  open = 0;
  openBytes = 0;
  lastMs: number;
  beat: FrontBeat = { inFlight: 0, waiters: 0, durable: 0 };

  constructor(
    socket: WebSocket,
    nowMs: number,
    handlers: {
      received(front: ConnectedFront, frames: readonly Bytes[]): void;
      closed(front: ConnectedFront, reason: string): void;
    },
  ) {
    this.lastMs = nowMs;
    this.socket = new FrameSocket(socket, {
      received: (frames) => handlers.received(this, frames),
      closed: (reason) => handlers.closed(this, reason),
    });
  }
}
