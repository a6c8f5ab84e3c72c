/**
 * Parsers of event requests and of event streams.
 *
 * @module
 */

import assert from "node:assert/strict";
import { encodeCursor, parseCursor } from "../../src/gateway/events/event_ports.ts";
import { concat, utf8 } from "../../src/base/bytes.ts";
import { readEventTypes } from "../../src/http/events/events_request.ts";
import { readRequestHead } from "../../src/http/events/request_head.ts";
import { EVENT_CURSOR } from "../../src/http/schema/events.ts";
import { parseEventFrame } from "../../src/client/event_frames.ts";
import { describeEvent } from "../../src/explorer/feed_event.ts";
import { hrefOf, parseRoute } from "../../src/explorer/route.ts";
import { ofText, type Target } from "./engine.ts";

export const EVENT_TARGETS: readonly Target[] = [
  {
    name: "parseCursor",
    covers: ["gateway/events/event_ports.ts#parseCursor"],
    codes: ["malformed_parameter"],
    seeds: ["v1.0.0.0.0.0", "v1.120.118.96.64.3", "v1.9007199254740991.1.1.1.9007199254740991"],
    read: ofText((text) => {
      // Each position has one text, which the schema accepts.
      assert.equal(encodeCursor(parseCursor(text)), text);
      assert.equal(EVENT_CURSOR.parse(text, { where: "answer", code: "malformed_json" }), text);
    }),
  },
  {
    name: "readEventTypes",
    covers: ["http/events/events_request.ts#readEventTypes"],
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
    name: "readRequestHead",
    covers: ["http/events/request_head.ts#readRequestHead"],
    codes: [],
    seeds: [
      "GET /ws/events?types=batch.closed HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
      "HEAD / HTTP/1.1\r\nhost:b\r\nX-Forwarded-For: 192.0.2.1, 192.0.2.2\r\n\r\n",
      "PURGE /%20 HTTP/1.1\r\nHost:\r\n\r\n",
    ].map(utf8),
    read: (bytes) => {
      const request = readRequestHead(bytes);
      if (request === undefined) return false;
      const text = new TextDecoder("latin1").decode(bytes);
      assert.ok(text.endsWith("\r\n\r\n"));
      // One line is one field: no field of a request hides another.
      assert.doesNotMatch(text.replaceAll("\r\n", ""), /[\r\n\0]/);
      assert.ok(readRequestHead(concat(utf8(" "), bytes)) === undefined);
      return true;
    },
  },
  {
    name: "parseEventFrame",
    covers: ["client/event_frames.ts#parseEventFrame"],
    codes: ["gateway_refused"],
    seeds: [
      `{"type":"hello","network_id":"a/log","cursor":"v1.0.0.0.0.0","heartbeat_seconds":30}`,
      `{"type":"gap"}`,
      `{"id":"v1.2","type":"attestation.confirmed","at":1,"data":{"hash":"${"ab".repeat(32)}"}}`,
      `{"type":"lagged","cursor":"v1.2.1.0.0.0"}`,
      `{"id":"v1.2.1.0.0.0","type":"batch.closed","at":1766275210,"data":{"id":2,"x":[null]}}`,
    ],
    read: ofText((text) => {
      const frame = parseEventFrame(text);
      const members = JSON.parse(text);
      if (frame.kind !== "event") return assert.equal(frame.kind, members.type);
      const { route } = describeEvent(frame);
      if (route !== undefined) assert.deepEqual(parseRoute(hrefOf(route)), route);
      assert.equal(frame.text, text);
      assert.deepEqual(
        JSON.parse(JSON.stringify([frame.id, frame.type, frame.at, frame.data])),
        [members.id, members.type, members.at, members.data ?? null],
      );
    }),
  },
];
