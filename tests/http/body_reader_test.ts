import assert from "node:assert/strict";
import { CountersignError, type ErrorCode, hasCode } from "../../src/base/errors.ts";
import type { ClientKey } from "../../src/http/limits/client_key.ts";
import { type BodyBounds, BodyReader } from "../../src/http/body_reader.ts";
import type { ClientHoldings } from "../../src/http/limits/holdings.ts";
import { BODY_BOUNDS } from "../../src/http/limits.ts";
import { FakeClock } from "../fake_clock.ts";
import { tablesOf, testOverFronts } from "./limits/fronts.ts";

const LIMIT = 100_000;

/** A request that a test sends piece by piece, as a stream of bytes unless `type` is absent. */
class SlowRequest {
  readonly request: Request;
  #controller!: ReadableByteStreamController | ReadableStreamDefaultController<Uint8Array>;
  isCancelled = false;

  constructor(headers: Record<string, string> = {}, type: "bytes" | undefined = "bytes") {
    const source = { cancel: () => void (this.isCancelled = true) };
    const body = type === undefined
      ? new ReadableStream<Uint8Array>({
        ...source,
        start: (controller) => void (this.#controller = controller),
      })
      : new ReadableStream({
        ...source,
        type,
        start: (controller) => void (this.#controller = controller),
      });
    this.request = new Request("http://gateway.test/", { method: "POST", body, headers });
  }

  async send(...pieces: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
    for (const piece of pieces) this.#controller.enqueue(piece.slice());
    await turns();
  }

  async end(): Promise<void> {
    this.#controller.close();
    if ("byobRequest" in this.#controller) this.#controller.byobRequest?.respond(0);
    await turns();
  }
}

/** A reader whose listener looks each second. */
class WatchedReader extends BodyReader {
  readonly #clock: FakeClock;

  constructor(
    bounds: Partial<BodyBounds> = {},
    clock = new FakeClock(),
    holdings?: ClientHoldings,
  ) {
    super(holdings, { ...BODY_BOUNDS, ...bounds }, clock);
    this.#clock = clock;
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      this.#clock.jump(Math.min(left, 1_000));
      this.expire();
    }
    await turns();
  }

  /** The process does not run for `ms` milliseconds. */
  stop(ms: number): void {
    this.#clock.jump(ms);
    this.expire();
  }
}

/** The readers of fronts, of which the next one reads each body. */
class FrontReaders {
  readonly #readers: readonly WatchedReader[];
  #bodies = 0;

  constructor(fronts: number, bounds: Partial<BodyBounds>) {
    this.#readers = tablesOf(fronts).map((tables) =>
      new WatchedReader(bounds, undefined, tables.holdings("body_bytes"))
    );
  }

  get announcedBytes(): number {
    return this.#readers.reduce((sum, { announcedBytes }) => sum + announcedBytes, 0);
  }

  read(request: Request, limit: number, client?: ClientKey): Promise<Uint8Array> {
    return this.#readers[this.#bodies++ % this.#readers.length]!.read(request, limit, client);
  }

  async pass(ms: number): Promise<void> {
    for (const reader of this.#readers) await reader.pass(ms);
  }
}

const lengthOf = (length: number) => ({ "Content-Length": String(length) });
const CLIENTS: readonly ClientKey[] = [{ high: 1, low: 1 }, { high: 1, low: 2 }];

/** Lets everything that can go on go on. */
async function turns(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}

/** The code that `reading` was refused with, as it stands; `undefined` while it goes on. */
function watch(reading: Promise<unknown>): { code?: ErrorCode | "accepted" } {
  const seen: { code?: ErrorCode | "accepted" } = {};
  reading.then(
    () => seen.code = "accepted",
    (error) => seen.code = error.code,
  );
  return seen;
}

/** The code that `reading` is refused with. */
async function codeOf(reading: Promise<unknown>): Promise<ErrorCode> {
  const error: unknown = await reading.then(() => undefined, (error) => error);
  assert.ok(error instanceof CountersignError, "the body was accepted");
  return error.code;
}

Deno.test("read() joins pieces of any length", async () => {
  const reader = new BodyReader();
  for (const type of ["bytes", undefined] as const) {
    for (const lengths of [[], [1], [16_384, 1], [1, 16_384, 3], [LIMIT], [LIMIT - 1, 1]]) {
      const slow = new SlowRequest({}, type);
      const reading = reader.read(slow.request, LIMIT);
      const pieces = lengths.map((length, i) => new Uint8Array(length).fill(i + 1));
      await slow.send(...pieces);
      await slow.end();
      assert.deepEqual([...await reading], pieces.flatMap((piece) => [...piece]));
    }
  }
  assert.equal(reader.announcedBytes, 0);
});

Deno.test("read() refuses a Content-Length above the limit without reading", async () => {
  const reader = new BodyReader();
  for (const length of [String(LIMIT + 1), "9223372036854775808", "9".repeat(400)]) {
    const slow = new SlowRequest({ "Content-Length": length });
    await assert.rejects(
      reader.read(slow.request, LIMIT),
      (error) => hasCode(error, "body_too_large"),
    );
  }
});

Deno.test("read() refuses a body that is incomplete at the deadline", async () => {
  const { graceMs, timeMs } = BODY_BOUNDS;
  // A small body has the grace, another one that keeps to the rate all of the time.
  for (const [length, dueMs] of [[10, graceMs], [90_000, timeMs]] as const) {
    const headers = lengthOf(length);
    const reader = new WatchedReader();
    const [late, punctual] = [new SlowRequest(headers), new SlowRequest(headers)];
    const lateSeen = watch(reader.read(late.request, LIMIT));
    await late.send(new Uint8Array(length - 1));
    await reader.pass(1_000);
    const punctualSeen = watch(reader.read(punctual.request, LIMIT));
    await punctual.send(new Uint8Array(length));
    await reader.pass(dueMs - 1_000);
    assert.equal(lateSeen.code, undefined);
    await reader.pass(1);
    assert.equal(lateSeen.code, "malformed_request");
    assert.equal(punctualSeen.code, undefined);
    await punctual.end();
    assert.equal(punctualSeen.code, "accepted");
    assert.equal(reader.announcedBytes, 0);
  }
});

Deno.test("read() refuses a dripping body, with and without Content-Length", async () => {
  for (const headers of [{}, lengthOf(60_000)]) {
    for (const type of ["bytes", undefined] as const) {
      const reader = new WatchedReader();
      const slow = new SlowRequest(headers, type);
      const seen = watch(reader.read(slow.request, LIMIT));
      let seconds = 0;
      for (; seen.code === undefined; seconds++) {
        await slow.send(Uint8Array.of(32));
        await reader.pass(1_000);
      }
      assert.equal(seen.code, "malformed_request");
      assert.equal(seconds * 1_000, BODY_BOUNDS.graceMs + 1_000);
      assert.ok(slow.isCancelled);
      assert.equal(reader.announcedBytes, 0);
    }
  }
});

Deno.test("read() accepts a body at the minimum rate and refuses a slower one", async () => {
  const perSecond = BODY_BOUNDS.slowestRate;
  for (const [sent, code] of [[perSecond, "accepted"], [perSecond / 2, "malformed_request"]]) {
    const reader = new WatchedReader();
    const slow = new SlowRequest(lengthOf(15 * perSecond));
    const seen = watch(reader.read(slow.request, LIMIT));
    for (let second = 0; second < 15 && seen.code === undefined; second++) {
      await reader.pass(1_000);
      if (seen.code === undefined) await slow.send(new Uint8Array(Number(sent)));
    }
    if (seen.code === undefined) await slow.end();
    assert.equal(seen.code, code);
  }
});

Deno.test("read() does not count time while the process was stopped", async () => {
  const reader = new WatchedReader();
  const slow = new SlowRequest(lengthOf(10));
  const seen = watch(reader.read(slow.request, LIMIT));
  reader.stop(10 * BODY_BOUNDS.timeMs);
  await slow.send(new Uint8Array(10));
  await slow.end();
  assert.equal(seen.code, "accepted");
});

Deno.test("read() refuses a body in too many pieces", async () => {
  const reader = new WatchedReader({ pieces: 50 });
  const crumb = Uint8Array.of(7);
  for (const [count, code] of [[50, "accepted"], [51, "malformed_request"]] as const) {
    const slow = new SlowRequest();
    const seen = watch(reader.read(slow.request, LIMIT));
    for (let i = 0; i < count; i++) await slow.send(crumb);
    if (seen.code === undefined) await slow.end();
    assert.equal(seen.code, code);
    assert.equal(slow.isCancelled, code !== "accepted");
    assert.equal(reader.announcedBytes, 0);
  }
});

testOverFronts(
  "read() limits the announced bytes of all unfinished bodies before it reads",
  async (fronts) => {
    const reader = new FrontReaders(fronts, { bytesOfAll: 2 * LIMIT });
    const first = new SlowRequest(lengthOf(LIMIT));
    const firstSeen = watch(reader.read(first.request, LIMIT));
    // A body without a length may have as many bytes as its route takes.
    const second = new SlowRequest();
    const secondSeen = watch(reader.read(second.request, LIMIT));
    await turns();
    assert.equal(reader.announcedBytes, 2 * LIMIT);
    const third = new SlowRequest(lengthOf(5_000));
    assert.equal(await codeOf(reader.read(third.request, LIMIT)), "overloaded");
    assert.ok(!third.request.body!.locked, "the refused body is read");
    // Small bodies are read all the same.
    const small = new SlowRequest(lengthOf(3));
    const smallSeen = watch(reader.read(small.request, LIMIT));
    await small.send(new Uint8Array(3));
    await small.end();
    assert.equal(smallSeen.code, "accepted");
    for (const request of [first, second]) {
      await request.send(new Uint8Array(LIMIT));
      await request.end();
    }
    assert.deepEqual([firstSeen.code, secondSeen.code], ["accepted", "accepted"]);
    assert.equal(reader.announcedBytes, 0);
  },
);

testOverFronts(
  "read() limits the announced bytes of one client and not of others",
  async (fronts) => {
    const reader = new FrontReaders(fronts, { bytesOfOne: LIMIT });
    const [one, other] = CLIENTS;
    const readFor = (client?: ClientKey) => {
      const slow = new SlowRequest(lengthOf(LIMIT));
      return { slow, seen: watch(reader.read(slow.request, LIMIT, client)) };
    };
    const held = readFor(one);
    await turns();
    const refused = readFor(one);
    const taken = [readFor(other), readFor(undefined)];
    await turns();
    assert.equal(refused.seen.code, "rate_limited");
    assert.deepEqual(taken.map(({ seen }) => seen.code), [undefined, undefined]);
    await held.slow.send(new Uint8Array(LIMIT));
    await held.slow.end();
    assert.equal(held.seen.code, "accepted");
    const next = readFor(one);
    await turns();
    assert.equal(next.seen.code, undefined, "an ended body makes room");
    await reader.pass(BODY_BOUNDS.graceMs + 1_000);
    assert.equal(next.seen.code, "malformed_request");
    assert.equal(reader.announcedBytes, 0);
  },
);
