/**
 * A KV Connect server in memory (github.com/denoland/denokv, `proto/kv-connect.md`, version 3) with the
 * limits of `proto/limits.rs`. It can lose answers, refuse, fall silent, and go away with its records kept.
 *
 * @module
 */

import { concat, utf8 } from "../../src/bytes.ts";
import { bytesOf, decodeMessage, encodeMessage, type Fields, integerOf } from "./protobuf.ts";

export const KV_TOKEN = "kv-connect-token-of-the-tests";
const SESSION_TOKEN = "session-token";
const DATABASE_ID = "a1b2c3d4-e5f6-4a8b-9c1d-2e3f4a5b6c7d";

const MAX_KEY = 2_048;
const MAX_VALUE = 65_536;
const MAX_RANGES = 10;
const MAX_ENTRIES = 1_000;
const MAX_CHECKS = 10;
const MAX_MUTATIONS = 1_000;
const MAX_COMMIT = 819_200;

/** Numbers of `proto/schema/datapath.proto`. */
const SET = 1;
const DELETE = 2;
const SUCCESS = 1;
const CHECK_FAILURE = 2;
const READ_SUCCESS = 1;

interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly encoding: number;
  readonly versionstamp: Uint8Array;
}

/** What happens to the next writes. */
export type WriteFault =
  /** Stored, and the connection is cut before the answer. */
  | "lost answer"
  /** Refused with 503 and not stored. */
  | "unavailable";

/**
 * Clients pass their token in a variable of the whole process, and test files run in threads of one
 * process: one thread at a time has servers.
 */
const turn = await Deno.open(new URL(import.meta.url));
let servers = 0;

export class KvConnectServer implements AsyncDisposable {
  /** Metadata exchange at `/`. */
  readonly url: string;
  /** The largest of each that a client used. */
  readonly used = { checks: 0, mutations: 0, bytes: 0 };
  /** Requests that were answered. */
  readonly answered = { reads: 0, writes: 0 };
  /** Paths of the requests, in the order in which they began. */
  readonly paths: string[] = [];
  /** Length of the body of the last write. */
  lastWrite = 0;
  /** Taken one by one by the next writes. */
  readonly faults: WriteFault[] = [];
  readonly #serve: (port: number) => Deno.HttpServer<Deno.NetAddr>;
  #server: Deno.HttpServer<Deno.NetAddr>;
  #cut = new AbortController();
  /** By key, as a text of bytes, whose order is that of the keys. */
  readonly #entries = new Map<string, Entry>();
  #keys: string[] = [];
  #version = 0n;
  readonly #ignoresChecks: boolean;
  #silence: PromiseWithResolvers<void> | undefined;
  #abandoned: PromiseWithResolvers<void> | undefined;

  constructor(options: {
    readonly port?: number;
    readonly endpoint?: string;
    /** Stores each write, as an engine that is unfit. */
    readonly ignoresChecks?: boolean;
    /** Serves HTTPS with this certificate and key, in PEM. */
    readonly tls?: { readonly cert: string; readonly key: string };
  } = {}) {
    const { port = 0, endpoint = "/v3", ignoresChecks = false, tls } = options;
    this.#ignoresChecks = ignoresChecks;
    if (servers++ === 0) turn.lockSync(true);
    this.#serve = (port) =>
      Deno.serve(
        {
          hostname: "127.0.0.1",
          port,
          onListen: () => {},
          onError: refusal,
          ...tls,
          signal: this.#cut.signal,
        },
        (request) => this.#answer(request, endpoint),
      );
    this.#server = this.#serve(port);
    this.url = `${tls === undefined ? "http" : "https"}://127.0.0.1:${this.#server.addr.port}`;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** No request is answered until {@linkcode KvConnectServer.resume}. */
  pause(): void {
    this.#silence ??= Promise.withResolvers<void>();
  }

  resume(): void {
    this.#silence?.resolve();
    this.#silence = undefined;
  }

  /** Answers further requests; those since {@linkcode KvConnectServer.pause} never get an answer. */
  abandon(): void {
    this.#abandoned = this.#silence;
    this.#silence = undefined;
  }

  /** Cuts all connections, and refuses others until {@linkcode KvConnectServer.restart}. */
  async cut(): Promise<void> {
    this.#cut.abort();
    await this.#server.finished;
  }

  restart(): void {
    this.#cut = new AbortController();
    this.#server = this.#serve(this.#server.addr.port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.resume();
    this.#abandoned?.resolve();
    this.#cut.abort();
    await this.#server.finished;
    if (--servers === 0) turn.unlockSync();
  }

  async #answer(request: Request, endpoint: string): Promise<Response> {
    const { pathname } = new URL(request.url);
    this.paths.push(pathname);
    await this.#silence?.promise;
    const token = request.headers.get("authorization");
    if (pathname === "/") {
      if (token !== `Bearer ${KV_TOKEN}`) return new Response("Invalid token", { status: 401 });
      const { supportedVersions } = await request.json();
      if (!supportedVersions.includes(3)) return new Response("No version", { status: 400 });
      return Response.json({
        version: 3,
        databaseId: DATABASE_ID,
        endpoints: [{ url: endpoint, consistency: "strong" }],
        token: SESSION_TOKEN,
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      });
    }
    if (token !== `Bearer ${SESSION_TOKEN}`) return new Response("Invalid token", { status: 401 });
    const body = new Uint8Array(await request.arrayBuffer());
    const message = decodeMessage(body);
    if (pathname === "/v3/snapshot_read") {
      this.answered.reads++;
      return protobuf(this.#read(message));
    }
    if (pathname !== "/v3/atomic_write") return new Response("Not found", { status: 404 });
    this.lastWrite = body.length;
    const fault = this.faults.shift();
    if (fault === "unavailable") return new Response("Try again", { status: 503 });
    const answer = this.#write(message);
    this.answered.writes++;
    if (fault === undefined) return protobuf(answer);
    // A body that ends before its length cuts the connection; a status cannot be taken back.
    return new Response(
      new ReadableStream({ start: (controller) => controller.error(new Error("cut")) }),
      { headers: { "content-type": "application/x-protobuf" } },
    );
  }

  #read(message: Fields): Fields {
    const ranges = bytesOf(message, 1).map(decodeMessage);
    require(ranges.length <= MAX_RANGES, "too many ranges");
    require(
      ranges.reduce((sum, range) => sum + integerOf(range, 3), 0) <= MAX_ENTRIES,
      "too many entries",
    );
    return [
      ...ranges.map((range) => [1, encodeMessage(this.#range(range))] as const),
      [4, 1],
      [8, READ_SUCCESS],
    ];
  }

  #range(range: Fields): Fields {
    const [start, end] = [bytesOf(range, 1)[0], bytesOf(range, 2)[0]];
    const keys = this.#keys.slice(this.#position(start), this.#position(end));
    if (integerOf(range, 4) === 1) keys.reverse();
    return keys.slice(0, integerOf(range, 3)).map((key) => {
      const { value, encoding, versionstamp, ...entry } = this.#entries.get(key)!;
      return [
        1,
        encodeMessage([[1, entry.key], [2, value], [3, encoding], [4, versionstamp]]),
      ] as const;
    });
  }

  #write(message: Fields): Fields {
    const checks = bytesOf(message, 1).map(decodeMessage);
    const mutations = bytesOf(message, 2).map((bytes) => {
      const mutation = decodeMessage(bytes);
      const value = decodeMessage(bytesOf(mutation, 2)[0] ?? new Uint8Array());
      return {
        key: bytesOf(mutation, 1)[0] ?? new Uint8Array(),
        type: integerOf(mutation, 3),
        data: bytesOf(value, 1)[0] ?? new Uint8Array(),
        encoding: integerOf(value, 2),
      };
    });
    const keys = [...checks.map((check) => bytesOf(check, 1)[0]!), ...mutations.map((m) => m.key)];
    const bytes = [...keys, ...mutations.map(({ data }) => data)]
      .reduce((sum, { length }) => sum + length, 0);
    this.used.checks = Math.max(this.used.checks, checks.length);
    this.used.mutations = Math.max(this.used.mutations, mutations.length);
    this.used.bytes = Math.max(this.used.bytes, bytes);
    require(checks.length <= MAX_CHECKS, "too many checks");
    require(mutations.length <= MAX_MUTATIONS, "too many mutations");
    require(bytes <= MAX_COMMIT, "the write is too large");
    require(keys.every(({ length }) => length <= MAX_KEY), "a key is too long");
    require(mutations.every(({ data }) => data.length <= MAX_VALUE), "a value is too long");
    require(mutations.every(({ type }) => type === SET || type === DELETE), "unused mutation");
    const failed = checks.flatMap((check, i) => this.#holds(check) ? [] : [[4, i] as const]);
    if (failed.length > 0 && !this.#ignoresChecks) return [[1, CHECK_FAILURE], ...failed];
    const versionstamp = new Uint8Array(10);
    new DataView(versionstamp.buffer).setBigUint64(0, ++this.#version);
    for (const { key, type, data, encoding } of mutations) {
      if (type === DELETE) this.#delete(key);
      else this.#set({ key, value: data, encoding, versionstamp });
    }
    return [[1, SUCCESS], [2, versionstamp]];
  }

  #holds(check: Fields): boolean {
    const stored = this.#entries.get(textOf(bytesOf(check, 1)[0]!))?.versionstamp;
    return textOf(stored ?? new Uint8Array()) === textOf(bytesOf(check, 2)[0] ?? new Uint8Array());
  }

  #set(entry: Entry): void {
    const text = textOf(entry.key);
    if (!this.#entries.has(text)) this.#keys.splice(this.#position(entry.key), 0, text);
    this.#entries.set(text, { ...entry, key: entry.key.slice(), value: entry.value.slice() });
  }

  #delete(key: Uint8Array): void {
    if (this.#entries.delete(textOf(key))) this.#keys.splice(this.#position(key), 1);
  }

  /** The index of the first key from `bound` on. */
  #position(bound: Uint8Array = new Uint8Array()): number {
    const text = textOf(bound);
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#keys[middle]! < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function require(isKept: boolean, reason: string): void {
  if (!isKept) throw new Error(reason);
}

function refusal(error: unknown): Response {
  return new Response(error instanceof Error ? error.message : "refused", { status: 400 });
}

function textOf(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function protobuf(fields: Fields): Response {
  return new Response(concat(encodeMessage(fields), utf8("")), {
    headers: { "content-type": "application/x-protobuf" },
  });
}
