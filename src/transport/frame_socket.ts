/**
 * A WebSocket that carries frames, as both ends of the link between front and sequencer use it. Frames of one
 * turn of the event loop are one message.
 *
 * @module
 */

import { setImmediate as soon } from "node:timers";
import type { Bytes } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { joinFrames, malformedFrame, MAX_MESSAGE, splitFrames } from "./socket_frames.ts";

/** Bytes that the other end has not read. More end the connection: the other end joins again. */
export const MAX_BUFFERED = 2 ** 24;
/** Reasons of the close frame (RFC 6455 section 7.4.2). */
export const CLOSE_CODE = { ended: 1001, tooSlow: 4000, malformed: 4001, version: 4002 } as const;
/** RFC 6455 section 5.5. */
const MAX_REASON = 120;

export interface FrameSocketHandlers {
  /** Called with the frames of each message. A `malformed_request` that it throws ends the connection. */
  received(frames: readonly Bytes[]): void;
  /** Called once. */
  closed(reason: string): void;
}

/** The used members of a `WebSocket`. */
export type MessageSocket = Pick<
  WebSocket,
  | ("binaryType" | "bufferedAmount" | "readyState" | "send" | "close")
  | ("onopen" | "onmessage" | "onerror" | "onclose")
>;

export class FrameSocket {
  readonly #socket: MessageSocket;
  readonly #handlers: FrameSocketHandlers;
  #unsent: Bytes[] = [];
  #unsentBytes = 0;
  #isClosed = false;

  /** `socket` is open or opens. */
  constructor(socket: MessageSocket, handlers: FrameSocketHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onerror = (event) => this.#end((event as ErrorEvent).message || "the connection failed");
    socket.onclose = ({ code, reason }) => this.#end(reason || `the connection closed (${code})`);
    if (socket.readyState !== WebSocket.OPEN) socket.onopen = () => this.#flush();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Bytes that were not handed to the network. */
  get buffered(): number {
    return this.#unsentBytes + this.#socket.bufferedAmount;
  }

  send(frame: Bytes): void {
    if (this.#isClosed) return;
    this.#unsent.push(frame);
    this.#unsentBytes += frame.length;
    if (this.#unsent.length === 1) soon(() => this.#flush());
  }

  /** Sends the remaining frames, and closes the connection. */
  close(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#flush();
    this.#closeSocket(code, reason);
    this.#end(reason);
  }

  #closeSocket(code: number, reason: string): void {
    try {
      this.#socket.close(code, reason.slice(0, MAX_REASON));
    } catch {
      // It was never open.
    }
  }

  #flush(): void {
    if (this.#isClosed || this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.buffered > MAX_BUFFERED) {
      this.#unsent = [];
      this.#closeSocket(CLOSE_CODE.tooSlow, "the other end reads too slowly");
      return this.#end("the other end reads too slowly");
    }
    while (this.#unsent.length > 0) {
      let count = 0;
      for (let bytes = 0; count < this.#unsent.length; count++) {
        bytes += this.#unsent[count]!.length + 4;
        if (bytes > MAX_MESSAGE && count > 0) break;
      }
      const frames = count === this.#unsent.length ? this.#unsent : this.#unsent.slice(0, count);
      this.#unsent = this.#unsent.slice(count);
      this.#socket.send(joinFrames(frames));
    }
    this.#unsentBytes = 0;
  }

  #receive(data: unknown): void {
    if (this.#isClosed) return;
    try {
      if (!(data instanceof ArrayBuffer)) throw malformedFrame("a message is text");
      this.#handlers.received(splitFrames(new Uint8Array(data)));
    } catch (error) {
      if (!(error instanceof CountersignError) || error.code !== "malformed_request") throw error;
      this.close(CLOSE_CODE.malformed, error.message);
    }
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unsent = [];
    this.#handlers.closed(reason);
  }
}
