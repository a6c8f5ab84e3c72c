import assert from "node:assert/strict";
import { type ErrorCode, hasCode } from "../../src/errors.ts";
import { BodyReader } from "../../src/http/body_reader.ts";
import { BODY_BOUNDS } from "../../src/http/limits.ts";
import { FakeClock } from "../fake_clock.ts";

const LIMIT = 100_000;

/** A request that a test sends piece by piece. */
class SlowRequest {
  readonly request: Request;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  isCancelled = false;

  constructor(headers: Record<string, string> = {}) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      cancel: () => void (this.isCancelled = true),
    });
    this.request = new Request("http://gateway.test/", { method: "POST", body, headers });
  }

  async send(...pieces: readonly Uint8Array[]): Promise<void> {
    for (const piece of pieces) this.#controller!.enqueue(piece);
    await turns();
  }

  end(): void {
    this.#controller!.close();
  }
}

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

Deno.test("a body is put together from pieces of any length", async () => {
  const reader = new BodyReader();
  for (const lengths of [[], [0], [1], [16_384, 1], [1, 16_384, 0, 3], [LIMIT], [LIMIT - 1, 1]]) {
    const slow = new SlowRequest();
    const reading = reader.read(slow.request, LIMIT);
    const pieces = lengths.map((length, i) => new Uint8Array(length).fill(i + 1));
    await slow.send(...pieces);
    slow.end();
    assert.deepEqual([...await reading], pieces.flatMap((piece) => [...piece]));
  }
  assert.equal(reader.heldBytes, 0);
});

Deno.test("a length above the limit is refused unread, whatever its number of digits", async () => {
  const reader = new BodyReader();
  for (const length of [String(LIMIT + 1), "9223372036854775808", "9".repeat(400)]) {
    const slow = new SlowRequest({ "Content-Length": length });
    await assert.rejects(
      reader.read(slow.request, LIMIT),
      (error) => hasCode(error, "body_too_large"),
    );
  }
});

Deno.test("a body that is late is refused, and one in time is not", async () => {
  const clock = new FakeClock();
  const reader = new BodyReader(BODY_BOUNDS, clock);
  for (const headers of [{}, { "Content-Length": "10" }, { "Content-Length": "10000" }]) {
    const [late, punctual] = [new SlowRequest(headers), new SlowRequest(headers)];
    const lateSeen = watch(reader.read(late.request, LIMIT));
    clock.jump(1);
    const punctualSeen = watch(reader.read(punctual.request, LIMIT));
    await late.send(Uint8Array.of(1));
    clock.jump(BODY_BOUNDS.timeMs - 1);
    reader.expire();
    await turns();
    assert.equal(lateSeen.code, "malformed_request", JSON.stringify(headers));
    assert.equal(punctualSeen.code, undefined);
    punctual.end();
    await turns();
    assert.equal(punctualSeen.code, "accepted");
    clock.jump(BODY_BOUNDS.timeMs);
    reader.expire();
  }
  assert.equal(reader.heldBytes, 0);
});

Deno.test("a body in crumbs is refused at a bound of their number", async () => {
  const reader = new BodyReader({ ...BODY_BOUNDS, pieces: 50 });
  const crumb = Uint8Array.of(7);
  const slow = new SlowRequest();
  const reading = reader.read(slow.request, LIMIT);
  await slow.send(...Array<Uint8Array>(50).fill(crumb));
  slow.end();
  assert.equal((await reading).length, 50);

  const further = new SlowRequest();
  const refused = watch(reader.read(further.request, LIMIT));
  await further.send(...Array<Uint8Array>(51).fill(crumb));
  assert.equal(refused.code, "malformed_request");
  assert.ok(further.isCancelled);
  assert.equal(reader.heldBytes, 0);
});

Deno.test("bodies that hold too much together make way for others", async () => {
  const reader = new BodyReader({ ...BODY_BOUNDS, heldBytes: 100_000 });
  const first = new SlowRequest();
  const firstSeen = watch(reader.read(first.request, LIMIT));
  await first.send(new Uint8Array(60_000));
  assert.equal(reader.heldBytes, 60_000);
  const second = new SlowRequest();
  const secondSeen = watch(reader.read(second.request, LIMIT));
  await second.send(new Uint8Array(60_000));
  assert.equal(secondSeen.code, "overloaded");
  assert.ok(second.isCancelled);
  // What announces little is read all the same.
  const small = new SlowRequest({ "Content-Length": "3" });
  const smallSeen = watch(reader.read(small.request, LIMIT));
  await small.send(new Uint8Array(3));
  small.end();
  await turns();
  assert.equal(smallSeen.code, "accepted");
  first.end();
  await turns();
  assert.equal(firstSeen.code, "accepted");
  assert.equal(reader.heldBytes, 0);
});
