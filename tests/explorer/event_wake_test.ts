import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { utf8 } from "../../src/base/bytes.ts";
import { EventWake, WAKING_TYPES } from "../../src/explorer/stamp/event_wake.ts";
import { FakeClock } from "../fake_clock.ts";

const never = new AbortController().signal;
const HELLO = JSON.stringify({
  type: "hello",
  network_id: "net.example",
  cursor: "v1.1",
  heartbeat_seconds: 30,
});

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await setImmediate();
}

/** An `EventWake` whose event streams the test writes. `status` is that of every answer. */
function makeWake(status = 200) {
  const clock = new FakeClock();
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const requests: string[] = [];
  const wake = new EventWake({
    url: new URL("http://gateway.test/"),
    clock,
    random: () => 0,
    fetch: (url, init) => {
      requests.push(new URL(String(url)).searchParams.get("types")!);
      if (status !== 200) return Promise.resolve(new Response("", { status }));
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          streams.push(controller);
          init!.signal!.addEventListener("abort", () => controller.error(init!.signal!.reason));
          controller.enqueue(utf8(`data: ${HELLO}\n\n`));
        },
      });
      const headers = { "Content-Type": "text/event-stream" };
      return Promise.resolve(new Response(body, { headers }));
    },
  });
  const ended: string[] = [];
  const wait = (name: string, ms: number, signal = never) =>
    wake.wait(ms, signal).then(() => ended.push(name));
  return { wake, clock, streams, requests, ended, wait };
}

Deno.test("EventWake.wait() ends at an event, after its time, at wake() or when aborted", async () => {
  const { wake, clock, streams, requests, ended, wait } = makeWake();
  const both = [wait("a", 1000), wait("b", 2000)];
  await settle();
  const event = { id: "v1.2", type: "batch.closed", at: 1, data: {} };
  streams[0]!.enqueue(utf8(`data: ${JSON.stringify(event)}\n\n`));
  await Promise.all(both);
  const late = wait("late", 1000);
  await clock.advance(999);
  assert.deepEqual(ended.splice(0), ["a", "b"]);
  await clock.advance(1);
  await late;
  const stop = new AbortController();
  const aborted = wait("aborted", 1000, stop.signal);
  stop.abort();
  await aborted;
  await wait("aborted before", 1000, stop.signal);
  const woken = wait("woken", 1000);
  wake.wake();
  await woken;
  assert.deepEqual(ended, ["late", "aborted", "aborted before", "woken"]);
  assert.deepEqual(requests, [WAKING_TYPES.join(",")]);
});

Deno.test("EventWake closes its connection some time after the last pause", async () => {
  const { clock, requests, wait } = makeWake();
  const first = wait("first", 1000);
  await clock.advance(1_000);
  await first;
  await clock.advance(9_000);
  const second = wait("second", 500);
  await clock.advance(500);
  await second;
  assert.equal(requests.length, 1);
  await clock.advance(10_000);
  await settle();
  assert.equal(clock.sleeping, 0);
  const third = wait("third", 1000);
  await clock.advance(1_000);
  await third;
  assert.equal(requests.length, 2);
  await clock.advance(10_000);
});

Deno.test("EventWake asks only once for events that the gateway refuses", async () => {
  const { clock, requests, wait } = makeWake(404);
  for (const name of ["first", "second"]) {
    const waiting = wait(name, 1000);
    await settle();
    await clock.advance(1_000);
    await waiting;
  }
  assert.equal(requests.length, 1);
  await clock.advance(10_000);
});
