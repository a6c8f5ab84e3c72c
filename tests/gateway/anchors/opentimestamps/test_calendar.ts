/**
 * A calendar server on loopback, with a serialization of its own: it shares no code with what asks
 * it.
 *
 * @module
 */

import { createHash, randomBytes } from "node:crypto";
import { type Bytes, concat, hexOf, utf8 } from "../../../../src/base/bytes.ts";
import { doubleSha256, mine } from "./bitcoin_miner.ts";

const SHA256 = "08";
const FORK = "ff";

/** Steps of a path in hex, each an operation as it is serialized. */
type Path = readonly string[];

const append = (hex: string) => `f0${sized(hex)}`;
const prepend = (hex: string) => `f1${sized(hex)}`;
const sized = (hex: string) => `${(hex.length / 2).toString(16).padStart(2, "0")}${hex}`;

/** The serialization of a pending attestation. */
export function pendingHex(uri: string): string {
  return `0083dfe30d2ef90c8e${sized(sized(hexOf(utf8(uri))))}`;
}

/** The serialization of a Bitcoin attestation, of a height from 2^14 to 2^21. */
export function bitcoinHex(height: number): string {
  const bytes = [height & 0x7f | 0x80, height >> 7 & 0x7f | 0x80, height >> 14];
  return `000588960d73d71901${sized(hexOf(new Uint8Array(bytes)))}`;
}

export function bytesAnswer(hex: string): Response {
  return new Response(Uint8Array.fromHex(hex), {
    headers: { "Content-Type": "application/octet-stream" },
  });
}

/** What a calendar says in place of the truth. */
export type Lie = (honest: Response, calendar: TestCalendar) => Response | Promise<Response>;

/** One calendar. Takes commitments at once, and puts them into blocks when it is told to. */
export class TestCalendar implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  /** What it waits with, and what it completed, by commitment in hex. */
  readonly #commitments = new Map<string, string | undefined>();
  /** Every request, as `<method> <path>`. */
  readonly asked: string[] = [];
  /** Every body that it was sent. */
  readonly digests: Bytes[] = [];
  lie: Lie = (honest) => honest;

  constructor() {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        const { pathname } = new URL(request.url);
        this.asked.push(`${request.method} ${pathname}`);
        const body = new Uint8Array(await request.arrayBuffer());
        return await this.lie(this.#answer(request.method, pathname, body), this);
      },
    );
  }

  /** By which it is configured, and which it names in its attestations. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Header of a block at `height` with all that it took, which it answers from here on. */
  confirm(height: number, time: number): Bytes {
    const waiting = [...this.#commitments].filter(([, done]) => done === undefined);
    const transaction = waiting.map(([hex]) => hex).map((hex) => sha256(Uint8Array.fromHex(hex)));
    // One output commits to all: their concatenation, hashed.
    const all = concat(utf8("transaction "), sha256(concat(...transaction)), utf8(" end"));
    const sibling = new Uint8Array(randomBytes(32));
    const merkleRoot = doubleSha256(concat(sibling, doubleSha256(all)));
    const upwards: Path = [
      SHA256,
      prepend(hexOf(utf8("transaction "))),
      append(hexOf(utf8(" end"))),
      SHA256,
      SHA256,
      prepend(hexOf(sibling)),
      SHA256,
      SHA256,
    ];
    for (const [i, [hex]] of waiting.entries()) {
      const before = hexOf(concat(...transaction.slice(0, i)));
      const after = hexOf(concat(...transaction.slice(i + 1)));
      const path = [
        SHA256,
        ...before === "" ? [] : [prepend(before)],
        ...after === "" ? [] : [append(after)],
        ...upwards,
      ];
      this.#commitments.set(hex, path.join("") + bitcoinHex(height));
    }
    return mine({ merkleRoot, time });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  #answer(method: string, path: string, body: Bytes): Response {
    if (method === "POST" && path === "/digest") return this.#take(body);
    const [, commitment = ""] = /^\/timestamp\/([0-9a-f]+)$/.exec(path) ?? [];
    if (method !== "GET" || !this.#commitments.has(commitment)) {
      return new Response("Commitment not found", { status: 404 });
    }
    const rest = this.#commitments.get(commitment);
    if (rest === undefined) {
      return new Response("Pending confirmation in Bitcoin blockchain", { status: 404 });
    }
    return bytesAnswer(rest);
  }

  #take(digest: Bytes): Response {
    this.digests.push(digest);
    const nonce = hexOf(randomBytes(16));
    const time = "6740a1b2";
    const mac = hexOf(randomBytes(8));
    const hashed = sha256(concat(digest, Uint8Array.fromHex(nonce)));
    this.#commitments.set(`${time}${hexOf(hashed)}${mac}`, undefined);
    const path = [append(nonce), SHA256, prepend(time), append(mac)];
    return bytesAnswer(path.join("") + pendingHex(this.url));
  }
}

/** `items`, each a serialization, at one message. */
export function forked(...items: readonly string[]): string {
  return items.map((item, i) => i < items.length - 1 ? FORK + item : item).join("");
}

function sha256(bytes: Uint8Array): Bytes {
  return new Uint8Array(createHash("sha256").update(bytes).digest());
}
