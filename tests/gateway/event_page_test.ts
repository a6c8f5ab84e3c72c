import assert from "node:assert/strict";
import { eventOf, EventPage } from "../../src/gateway/events/event_page.ts";
import { START_POSITION } from "../../src/gateway/events/event_ports.ts";

/** An event whose JSON is `length` bytes of UTF-8. */
function eventOfLength(length: number) {
  const text = (fill: string) =>
    eventOf("batch.closed", { ...START_POSITION, accepted: length }, 1, JSON.stringify(fill)).json;
  const rest = length - new TextEncoder().encode(text("é")).length;
  return {
    ...eventOf("batch.closed", { ...START_POSITION, accepted: length }, 1, "0"),
    json: text("é" + "x".repeat(rest)),
  };
}

/** The texts of unmasked text frames; asserts the shortest form of each. */
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

Deno.test("EventPage.webSocketBytes has one text frame for each event of any length", () => {
  const events = [100, 125, 126, 127, 65_535, 65_536, 70_000].map(eventOfLength);
  const page = new EventPage(events);
  assert.deepEqual(framesOf(page.webSocketBytes), events.map(({ json }) => json));
  assert.equal(page.webSocketBytes, page.webSocketBytes);
});

Deno.test("EventPage.sseBytes has one record for each frame, with an id where it has one", () => {
  const events = [100, 200].map(eventOfLength);
  const page = new EventPage(events);
  assert.equal(
    new TextDecoder().decode(page.sseBytes),
    events.map(({ id, json }) => `event: batch.closed\nid: ${id}\ndata: ${json}\n\n`).join(""),
  );
  assert.equal(page.sseBytes, page.sseBytes);
  const gap = new EventPage([{ type: "gap", json: "{}" }]);
  assert.equal(new TextDecoder().decode(gap.sseBytes), "event: gap\ndata: {}\n\n");
});
