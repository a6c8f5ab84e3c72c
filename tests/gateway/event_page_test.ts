import assert from "node:assert/strict";
import { EventPage } from "../../src/gateway/event_page.ts";
import { FIRST_PLACE } from "../../src/gateway/event_place.ts";
import { eventOf } from "../../src/gateway/event_text.ts";

/** An event whose JSON is `length` bytes of UTF-8. */
function eventOfLength(length: number) {
  const text = (fill: string) =>
    eventOf("batch.closed", { ...FIRST_PLACE, accepted: length }, 1, JSON.stringify(fill)).json;
  const rest = length - new TextEncoder().encode(text("é")).length;
  return {
    ...eventOf("batch.closed", { ...FIRST_PLACE, accepted: length }, 1, "0"),
    json: text("é" + "x".repeat(rest)),
  };
}

/** The texts of unmasked frames, each of which is a whole text in the shortest form. */
function framesOf(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const texts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    assert.equal(bytes[at], 0x81);
    const short = bytes[at + 1]!;
    const [head, length] = short === 127
      ? [10, Number(view.getBigUint64(at + 2))]
      : short === 126
      ? [4, view.getUint16(at + 2)]
      : [2, short];
    assert.ok(head === 2 || length > (head === 4 ? 125 : 65_535), "the shortest form");
    texts.push(
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.slice(at + head, at += head + length)),
    );
  }
  return texts;
}

Deno.test("a page is one WebSocket text frame for each event, whatever its length", () => {
  const events = [100, 125, 126, 127, 65_535, 65_536, 70_000].map(eventOfLength);
  const page = new EventPage(events);
  assert.deepEqual(framesOf(page.webSocketBytes), events.map(({ json }) => json));
  assert.equal(page.webSocketBytes, page.webSocketBytes);
  assert.equal(page.cursor, "v1.70000.0.0.0.0");
});

Deno.test("a page is one record of Server-Sent Events for each event", () => {
  const events = [100, 200].map(eventOfLength);
  const page = new EventPage(events);
  assert.equal(
    new TextDecoder().decode(page.sseBytes),
    events.map(({ id, json }) => `event: batch.closed\nid: ${id}\ndata: ${json}\n\n`).join(""),
  );
  assert.equal(page.sseBytes, page.sseBytes);
});
