/**
 * Readers of event streams: what clients ask for, and what gateways tell.
 *
 * @module
 */

import assert from "node:assert/strict";
import { encodeCursor, parseCursor } from "../../src/gateway/event_place.ts";
import { readEventTypes } from "../../src/http/events_request.ts";
import { EventCursor } from "../../src/http/schema/events.ts";
import { parseEventFrame } from "../../src/transport/event_frames.ts";
import { ofText, type Target } from "./engine.ts";

export const EVENT_TARGETS: readonly Target[] = [
  {
    name: "parseCursor",
    covers: ["gateway/event_place.ts#parseCursor"],
    codes: ["malformed_parameter"],
    seeds: ["v1.0.0.0.0.0", "v1.120.118.96.64.3", "v1.9007199254740991.1.1.1.9007199254740991"],
    read: ofText((text) => {
      // One place has one text, and the documents' pattern has it.
      assert.equal(encodeCursor(parseCursor(text)), text);
      assert.ok(EventCursor.safeParse(text).success);
    }),
  },
  {
    name: "readEventTypes",
    covers: ["http/events_request.ts#readEventTypes"],
    codes: [],
    seeds: [
      "batch.closed",
      "sth.published,attestation.accepted",
      "cross_anchor.added,batch.closed",
    ],
    read: ofText((text) => {
      const types = readEventTypes(text);
      if (types === undefined) return false;
      assert.deepEqual(text.split(",").toSorted(), [...types].toSorted());
      return true;
    }),
  },
  {
    name: "parseEventFrame",
    covers: ["transport/event_frames.ts#parseEventFrame"],
    codes: ["gateway_refused"],
    seeds: [
      `{"type":"hello","network_id":"a/log","cursor":"v1.0.0.0.0.0","heartbeat_seconds":30}`,
      `{"type":"gap"}`,
      `{"type":"lagged","cursor":"v1.2.1.0.0.0"}`,
      `{"id":"v1.2.1.0.0.0","type":"batch.closed","at":1766275210,"data":{"id":2,"x":[null]}}`,
    ],
    read: ofText((text) => {
      const frame = parseEventFrame(text);
      const members = JSON.parse(text);
      if (frame.kind !== "event") return assert.equal(frame.kind, members.type);
      assert.equal(frame.text, text);
      assert.deepEqual(
        JSON.parse(JSON.stringify([frame.id, frame.type, frame.at, frame.data])),
        [members.id, members.type, members.at, members.data ?? null],
      );
    }),
  },
];
