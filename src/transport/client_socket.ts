/**
 * The client's end of a WebSocket (RFC 6455) for messages of bytes. That of the runtime writes the header of a
 * message of more than 1 KiB alone and leaves Nagle's algorithm on, so that the message waits for the other end's
 * acknowledgement: up to 40 ms.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { type ClientRequest, request } from "node:http";
import { request as requestOverTls } from "node:https";
import type { Socket } from "node:net";
import { base64Of, type Bytes, concat, utf8 } from "../bytes.ts";

/** What is used of a `WebSocket`. */
export type MessageSocket = Pick<
  WebSocket,
  | ("binaryType" | "bufferedAmount" | "readyState" | "send" | "close")
  | ("onopen" | "onmessage" | "onerror" | "onclose")
>;

export interface ClientSocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Certificates (PEM) to trust besides those of the system. */
  readonly ca?: string | undefined;
  /** Bytes of a message; a longer one ends the connection. */
  readonly maxMessage: number;
}

const KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const KEY_LENGTH = 16;
const OPCODE = { continuation: 0, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const FINAL = 0x80;
const MASKED = 0x80;
const MASK_LENGTH = 4;
const MAX_CONTROL = 125;
const SHORTEST_FRAME = 2;
/** After a Close frame, the other end may take so long to end the connection. */
const CLOSE_MS = 1_000;
/** Of a connection that ended without a Close frame, and without a code in it. */
const NO_FRAME = 1006;
const NO_CODE = 1005;

interface Frame {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly payload: Bytes;
  /** With its header. */
  readonly length: number;
}

/** See the module. */
export class ClientSocket implements MessageSocket {
  readonly #maxMessage: number;
  readonly #request: ClientRequest;
  #socket: Socket | undefined;
  #state: WebSocket["readyState"] = WebSocket.CONNECTING;
  /** Received, and not read. */
  #chunks: Bytes[] = [];
  #held = 0;
  /** Bytes that have to be held before more can be read. */
  #needed = SHORTEST_FRAME;
  /** Of a message whose last fragment is missing. */
  #fragments: Bytes[] | undefined;
  binaryType: BinaryType = "arraybuffer";
  onopen: WebSocket["onopen"] = null;
  onmessage: WebSocket["onmessage"] = null;
  onerror: WebSocket["onerror"] = null;
  onclose: WebSocket["onclose"] = null;

  /** Connects to `url`, whose protocol is http: or https:. */
  constructor(url: URL, { headers, ca, maxMessage }: ClientSocketOptions) {
    this.#maxMessage = maxMessage;
    const key = base64Of(crypto.getRandomValues(new Uint8Array(KEY_LENGTH)));
    const options = {
      headers: {
        ...headers,
        ...{ Connection: "Upgrade", Upgrade: "websocket" },
        ...{ "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key },
      },
      agent: false as const,
    };
    this.#request = url.protocol === "https:"
      ? requestOverTls(url, { ...options, ...(ca !== undefined && { ca }) })
      : request(url, options);
    const accept = createHash("sha1").update(key + KEY_SUFFIX).digest("base64");
    this.#request.on("upgrade", ({ headers }, socket, head) => {
      if (headers["sec-websocket-accept"] !== accept) this.#fail("the handshake is malformed");
      if (this.#state === WebSocket.CONNECTING) this.#open(socket as Socket, head);
      else socket.destroy();
    });
    this.#request.on("response", (response) => {
      this.#fail(`status ${response.statusCode}`);
      response.destroy();
    });
    this.#request.on("error", ({ message }) => this.#fail(message));
    this.#request.end();
  }

  get readyState(): WebSocket["readyState"] {
    return this.#state;
  }

  get bufferedAmount(): number {
    return this.#socket?.writableLength ?? 0;
  }

  send(message: Bytes): void {
    this.#write(OPCODE.binary, message);
  }

  close(code: number, reason: string): void {
    if (this.#state === WebSocket.CONNECTING) return this.#fail("the connection was closed");
    this.#end(concat(Uint8Array.of(code >>> 8, code), utf8(reason).subarray(0, MAX_CONTROL - 2)));
  }

  #open(socket: Socket, head: Uint8Array): void {
    this.#socket = socket;
    this.#state = WebSocket.OPEN;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", ({ message }) => this.#fail(message));
    socket.on("close", () => this.#closed(NO_FRAME, ""));
    this.onopen?.call(this as never, new Event("open"));
    this.#receive(head);
  }

  #receive({ buffer, byteOffset, length }: Uint8Array): void {
    // Of a `Buffer`, a slice is no copy.
    const chunk = new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    while (this.#held >= this.#needed && this.#state !== WebSocket.CLOSED) {
      const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : concat(...this.#chunks);
      this.#chunks = [bytes];
      const frame = frameOf(bytes, this.#maxMessage);
      if (typeof frame === "string") return this.#fail(frame);
      if (typeof frame === "number") {
        this.#needed = frame;
        continue;
      }
      this.#chunks = [bytes.subarray(frame.length)];
      this.#held -= frame.length;
      this.#needed = SHORTEST_FRAME;
      this.#take(frame);
    }
  }

  #take({ opcode, isFinal, payload }: Frame): void {
    switch (opcode) {
      case OPCODE.ping:
        return this.#write(OPCODE.pong, payload);
      case OPCODE.pong:
        return;
      case OPCODE.close: {
        const code = payload.length < 2 ? NO_CODE : payload[0]! * 256 + payload[1]!;
        this.#end(payload.subarray(0, 2));
        return this.#closed(code, new TextDecoder().decode(payload.subarray(2)));
      }
    }
    if ((opcode === OPCODE.continuation) !== (this.#fragments !== undefined)) {
      return this.#fail("a fragment is missing");
    }
    const fragments = [...this.#fragments ?? [], payload];
    if (fragments.reduce((sum, { length }) => sum + length, 0) > this.#maxMessage) {
      return this.#fail("a message is too long");
    }
    this.#fragments = isFinal ? undefined : fragments;
    if (!isFinal) return;
    const data = fragments.length === 1 ? payload.slice().buffer : concat(...fragments).buffer;
    this.onmessage?.call(this as never, new MessageEvent("message", { data }));
  }

  /** Header and payload in one write. */
  #write(opcode: number, payload: Bytes): void {
    if (this.#state !== WebSocket.OPEN) return;
    const { length } = payload;
    const size = length <= MAX_CONTROL ? 0 : length < 2 ** 16 ? 2 : 8;
    const start = SHORTEST_FRAME + size + MASK_LENGTH;
    const frame = Buffer.allocUnsafe(start + length);
    frame[0] = FINAL | opcode;
    frame[1] = MASKED | (size === 0 ? length : size === 2 ? 126 : 127);
    if (size === 2) frame.writeUInt16BE(length, 2);
    else if (size === 8) frame.writeBigUInt64BE(BigInt(length), 2);
    const mask = crypto.getRandomValues(frame.subarray(start - MASK_LENGTH, start));
    for (let i = 0; i < length; i++) frame[start + i] = payload[i]! ^ mask[i % MASK_LENGTH]!;
    this.#socket!.write(frame);
  }

  #end(payload: Bytes): void {
    if (this.#state !== WebSocket.OPEN) return;
    this.#write(OPCODE.close, payload);
    this.#state = WebSocket.CLOSING;
    const socket = this.#socket!;
    socket.end();
    socket.setTimeout(CLOSE_MS, () => socket.destroy());
  }

  #fail(message: string): void {
    if (this.#state === WebSocket.CLOSED) return;
    this.onerror?.call(this as never, new ErrorEvent("error", { message }));
    this.#closed(NO_FRAME, message);
    this.#request.destroy();
    this.#socket?.destroy();
  }

  #closed(code: number, reason: string): void {
    if (this.#state === WebSocket.CLOSED) return;
    this.#state = WebSocket.CLOSED;
    this.#chunks = [];
    this.onclose?.call(this as never, new CloseEvent("close", { code, reason }));
  }
}

/** The frame of a server at the start of `bytes`; how many bytes have to be there, or what is wrong. */
function frameOf(bytes: Bytes, maxMessage: number): Frame | number | string {
  const [first = 0, second = 0] = bytes;
  const opcode = first & 0x0f;
  const isControl = opcode >= OPCODE.close;
  const isFinal = (first & FINAL) !== 0;
  if (first & 0x70 || !Object.values<number>(OPCODE).includes(opcode)) return "unknown frame";
  if (second & MASKED) return "a frame is masked";
  if (isControl && (!isFinal || second > MAX_CONTROL)) return "a control frame is malformed";
  const start = SHORTEST_FRAME + (second === 126 ? 2 : second === 127 ? 8 : 0);
  if (bytes.length < start) return start;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const payload = second === 126
    ? view.getUint16(2)
    : second === 127
    ? Number(view.getBigUint64(2))
    : second;
  if (payload > maxMessage) return "a message is too long";
  const length = start + payload;
  if (bytes.length < length) return length;
  return { opcode, isFinal, payload: bytes.subarray(start, length), length };
}
