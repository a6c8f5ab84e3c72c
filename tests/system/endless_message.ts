/**
 * A text message without an end, sent into WebSockets of a gateway, and how much memory that takes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { concat, utf8 } from "../../src/base/bytes.ts";
import { memoryOf, type Process } from "./process_figures.ts";
import { exchange, requestText } from "./raw_connection.ts";

const MIB = 1024 * 1024;
/** Bytes of resident memory by which an attack may make a gateway grow. */
export const GROWTH_BYTES = 100 * MIB;
/** Bytes that the attackers together would send. */
export const FLOOD_BYTES = 400 * MIB;

const LINES = [
  "GET /ws/events HTTP/1.1",
  "Host: gateway.test",
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];
/** An opening handshake. */
export const HANDSHAKE = [...LINES, "", ""].join("\r\n");

/** What is attacked. */
export interface Target {
  readonly server: Process;
  /** Where its WebSockets are. */
  readonly port: number;
  /** Where its clients are. */
  readonly clients: number;
}

/** Requires that an honest client is answered. */
export async function requireHonestAnswer({ clients }: Pick<Target, "clients">): Promise<void> {
  const { status, received } = await exchange(clients, requestText("GET /health"));
  assert.equal(status, 200, received);
}

/** Attacks by `count` sockets at once; the most by which the process had grown meanwhile. */
export async function grownBy(
  target: Target,
  count: number,
): Promise<{ readonly grown: number; readonly sent: number }> {
  for (let i = 0; i < 20; i++) await requireHonestAnswer(target);
  const before = await memoryOf(target.server);
  const attackers = await Promise.all(
    Array.from({ length: count }, () => Attacker.open(target.port)),
  );
  let isOver = false;
  let most = 0;
  const sending = Promise.all(attackers.map((attacker) => attacker.send(FLOOD_BYTES / count)))
    .then(() => isOver = true);
  // Once more after all is sent: what is collected is held while the connections are open.
  for (let isLast = false; !isLast;) {
    isLast = isOver;
    most = Math.max(most, await memoryOf(target.server));
    if (most - before > GROWTH_BYTES) break;
  }
  for (const attacker of attackers) attacker.close();
  await sending;
  await requireHonestAnswer(target);
  return { grown: most - before, sent: attackers.reduce((sum, { sent }) => sum + sent, 0) };
}

/** A frame of 64 KiB with `first` as its first byte, masked with zeros. */
function frame(first: number): Uint8Array<ArrayBuffer> {
  const header = Uint8Array.of(first, 0xff, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
  return concat(header, new Uint8Array(65_536).fill(0x61));
}

/** A client that sends one text message without an end. */
class Attacker {
  readonly #connection: Deno.TcpConn;
  /** Bytes of the message that were sent. */
  sent = 0;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async open(port: number): Promise<Attacker> {
    const attacker = new Attacker(await Deno.connect({ hostname: "127.0.0.1", port }));
    await attacker.#write(utf8(HANDSHAKE));
    const answer = new Uint8Array(64);
    await attacker.#connection.read(answer);
    assert.match(new TextDecoder().decode(answer), /^HTTP\/1\.1 101 /);
    return attacker;
  }

  /** Sends until `bytes` are sent, or the connection is over. */
  async send(bytes: number): Promise<void> {
    const more = frame(0x00);
    try {
      for (let next = frame(0x01); this.sent < bytes; next = more) {
        await this.#write(next);
        this.sent += next.length;
      }
    } catch {
      // The gateway has ended the connection.
    }
  }

  close(): void {
    this.#connection.close();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += await this.#connection.write(bytes.subarray(at));
  }
}
