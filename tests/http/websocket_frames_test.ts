import assert from "node:assert/strict";
import { type Bytes, concat, utf8 } from "../../src/base/bytes.ts";
import { EventPage } from "../../src/gateway/events/event_page.ts";
import {
  ClientFrames,
  closeFrame,
  pingFrame,
  pongFrame,
} from "../../src/http/events/websocket_frames.ts";

const MASK = Uint8Array.of(0x37, 0xfa, 0x21, 0x3d);

/** A masked frame of at most 125 bytes. */
function masked(first: number, payload: Bytes): Bytes {
  const hidden = payload.map((byte, i) => byte ^ MASK[i % 4]!);
  return concat(Uint8Array.of(first, 0x80 | payload.length), MASK, hidden);
}

const textFrame = (json: string) => new EventPage([{ type: "", json }]).webSocketBytes;

Deno.test("server frames match the examples of RFC 6455 section 5.7", () => {
  assert.equal(textFrame("Hello").toHex(), "810548656c6c6f");
  assert.equal(pongFrame(utf8("Hello")).toHex(), "8a0548656c6c6f");
  assert.equal(pingFrame().toHex(), "8900");
  assert.equal(closeFrame(1001, "a").toHex(), "880303e961");
  assert.equal(closeFrame().toHex(), "8800");
  assert.equal(textFrame("x".repeat(126)).subarray(0, 4).toHex(), "817e007e");
  assert.equal(textFrame("x".repeat(65_535)).subarray(0, 4).toHex(), "817effff");
  assert.equal(textFrame("x".repeat(65_536)).subarray(0, 10).toHex(), "817f0000000000010000");
});

Deno.test("ClientFrames reads control frames from any pieces", () => {
  const sent = concat(
    masked(0x89, utf8("Hello")),
    masked(0x8a, new Uint8Array(125).fill(7)),
    masked(0x8a, new Uint8Array()),
    masked(0x88, Uint8Array.of(0x03, 0xe8)),
  );
  const expected = [
    { kind: "ping", payload: utf8("Hello") },
    { kind: "pong", payload: new Uint8Array(125).fill(7) },
    { kind: "pong", payload: new Uint8Array() },
    { kind: "close", payload: Uint8Array.of(0x03, 0xe8) },
  ];
  for (const size of [1, 2, 7, sent.length]) {
    const frames = new ClientFrames();
    const read = [];
    for (let at = 0; at < sent.length; at += size) {
      read.push(...frames.read(sent.slice(at, at + size)));
    }
    assert.deepEqual(read, expected, `${size} bytes at a time`);
  }
});

Deno.test("ClientFrames rejects other frames by their first two bytes", () => {
  const cases: readonly (readonly [first: number, second: number | undefined, code: number])[] = [
    // Data, finished or not, by its first byte: nothing of it is collected.
    ...[0x00, 0x01, 0x02, 0x80, 0x81, 0x82].map((first) => [first, undefined, 1008] as const),
    ...[0xc9, 0xa9, 0x99, 0xc1, 0x83, 0x87, 0x8b, 0x8f, 0x08, 0x09, 0x0a].map((first) =>
      [first, undefined, 1002] as const
    ),
    [0x89, 0x00, 1002],
    [0x88, 0x7d, 1002],
    [0x89, 0xfe, 1002],
    [0x8a, 0xff, 1002],
  ];
  for (const [first, second, code] of cases) {
    const bytes = second === undefined ? [first] : [first, second];
    const rest = masked(0x89, utf8("after"));
    const read = new ClientFrames().read(concat(Uint8Array.from(bytes), rest));
    assert.deepEqual(read.map((frame) => frame.kind === "violation" && frame.code), [code]);
  }
  const oneByte = new ClientFrames().read(masked(0x88, Uint8Array.of(3)));
  assert.deepEqual(oneByte.map((frame) => frame.kind), ["violation"]);
});
