import assert from "node:assert/strict";
import { EventHistory } from "../../src/gateway/events/event_history.ts";
import { encodeCursor, type EventLog, parseCursor } from "../../src/gateway/events/event_ports.ts";

Deno.test("a position is consistent while every read of a list applies updates", () => {
  let updates = 0;
  // Anchors are those of published heads.
  let anchored = 0;
  const update = () => anchored = updates++;
  const log = {
    get accepted() {
      update();
      return updates;
    },
    get confirmed() {
      update();
      return updates;
    },
    get published() {
      update();
      return updates;
    },
  } as EventLog;
  const anchors = {
    get length() {
      return anchored;
    },
    list: () => Promise.resolve([]),
    onAdded: () => {},
  };
  for (let i = 0; i < 3; i++) {
    const { now } = new EventHistory(log, anchors);
    assert.deepEqual(parseCursor(encodeCursor(now)), now);
    assert.ok(now.anchors < now.heads, "an anchor follows its head");
    assert.equal(now.heads - now.anchors, 1, "anchors are as new as heads");
  }
});
