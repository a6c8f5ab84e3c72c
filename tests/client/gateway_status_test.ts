import assert from "node:assert/strict";
import { hasCode } from "../../src/base/errors.ts";
import { parseGatewayStatus } from "../../src/proof/format/gateway_status.ts";

const refused = (error: unknown) => hasCode(error, "gateway_refused");

Deno.test("a status is read with every member that the gateway may send, and refused without one", () => {
  const whole = {
    status: "ok",
    witnesses: [
      { id: "n/w1", healthy: true, last_seen_at: 5 },
      { id: "n/w2", healthy: false, last_error: "witness_unreachable" },
    ],
    pending_count: 2,
    oldest_pending_age: 1,
    sth: { tree_size: 3, age: 12 },
    beacon: { round: 7, age: 2 },
    peers: [
      { id: "peer.example", last_cross_anchor: { tree_size: 3, age: 4 }, failing: false },
      { id: "other.example", failing: true },
    ],
    anchors: [
      { provider: "rfc3161", last: { tree_size: 3, age: 9, status: "confirmed" } },
      { provider: "rekor" },
    ],
    contradictions: 1,
    foreign_witnesses: [
      {
        name: "witness.example/north",
        url: "https://witness.example/",
        last_cosigned: { tree_size: 3, age: 9 },
        behind: 4,
        last_error: "witness_unreachable",
        failing_for: 5,
        next_attempt_at: 1_800_000_000,
      },
      { name: "witness.example/south" },
    ],
    foreign_quorum: { met: false, tree_size: 3, behind_for: 6 },
  };
  assert.deepEqual(parseGatewayStatus(JSON.stringify(whole)), whole);
  assert.equal(parseGatewayStatus(JSON.stringify({ ...whole, beacon: null })).beacon, null);
  assert.deepEqual(parseGatewayStatus(JSON.stringify({ ...whole, more: 1 })), whole);
  const least = { status: "storage_failed", witnesses: [], pending_count: 0 };
  assert.deepEqual(parseGatewayStatus(JSON.stringify(least)), {
    ...least,
    peers: [],
    anchors: [],
    contradictions: 0,
    foreign_witnesses: [],
  });
  for (const name of ["status", "witnesses", "pending_count"]) {
    const { [name]: _, ...rest } = least as Record<string, unknown>;
    assert.throws(() => parseGatewayStatus(JSON.stringify(rest)), refused, name);
  }
  for (
    const wrong of [{ sth: 3 }, { peers: [{}] }, { anchors: {} }, { beacon: { round: "7" } }, {
      foreign_quorum: {},
    }]
  ) {
    assert.throws(() => parseGatewayStatus(JSON.stringify({ ...whole, ...wrong })), refused);
  }
});
