import assert from "node:assert/strict";
import type { AnchoringServices } from "../../src/explorer/stamp/stamp_follower.ts";
import type { StampPhase, StampRow } from "../../src/explorer/stamp/stamp_rows.ts";
import { listProgress, rowState, stampSteps } from "../../src/explorer/stamp/stamp_steps.ts";
import { HASH, network, whole } from "./job_gateway.ts";

const NOTHING: AnchoringServices = { peers: [], anchors: [] };
const job = {
  hash: HASH,
  attempts: 1,
  created_at: 1,
  updated_at: 1,
  status: "confirmed",
  progress: "confirmed",
  signed_attestation: whole.signed_attestation,
} as const;
const row: StampRow = { id: 1, hash: HASH, phase: "settled", job };

const statesOf = (row: StampRow, anchoring: AnchoringServices | undefined = NOTHING) =>
  stampSteps(row, anchoring).map(({ state }) => state).join(" ");

Deno.test("the steps follow the phase, with and without a proof on the page", () => {
  const { job: _, ...unknown } = row;
  assert.equal(statesOf({ ...unknown, phase: "sending" }), "active waiting waiting waiting");
  assert.equal(statesOf({ ...unknown, phase: "failed" }), "failed waiting waiting waiting");
  const pending = { ...job, status: "pending", progress: "unconfirmed" } as const;
  const { signed_attestation: __, ...unsigned } = pending;
  assert.equal(
    statesOf({ ...row, phase: "signing", job: unsigned }),
    "done active waiting waiting",
  );
  assert.equal(statesOf({ ...row, phase: "batching" }), "done done active waiting");
  assert.equal(statesOf(row), "done done done waiting");
  const bundle = { text: "", value: whole };
  assert.equal(statesOf({ ...row, bundle }), "done done done skipped");
  const failed = { ...unsigned, status: "failed" } as const;
  assert.equal(statesOf({ ...row, job: failed }), "done failed waiting waiting");
});

Deno.test("signers are named within their network", () => {
  const [, confirmed] = stampSteps(row, undefined);
  assert.equal(confirmed!.text, "Signed by w1, w2");
  assert.equal(network.configuration.witnesses[0]!.id, "stamp.example/w1");
});

Deno.test("the last step counts peers and services, and says what is pending", () => {
  const peers = ["a.example", "b.example"].map((id) => ({ id, failing: false }));
  const anchors = [{ provider: "rfc3161" }, { provider: "opentimestamps" }];
  const cross = { witnessing_network: "a.example" } as (typeof whole.cross_anchors)[number];
  const external = (status: string) => ({ status }) as (typeof whole.external_anchors)[number];
  const step = (
    bundle: Partial<typeof whole>,
    anchoring: AnchoringServices,
    phase: StampPhase = "anchoring",
  ) => {
    const value = { ...whole, ...bundle };
    const steps = stampSteps({ ...row, phase, bundle: { text: "", value } }, anchoring);
    return [steps[3]!.state, steps[3]!.text];
  };
  assert.deepEqual(step({ cross_anchors: [cross, cross] }, { peers, anchors: [] }), [
    "active",
    "1 of 2 peers",
  ]);
  const pending = { external_anchors: [external("confirmed"), external("pending")] };
  assert.deepEqual(step(pending, { peers: [], anchors }), [
    "active",
    "1 of 2 external anchors, 1 pending",
  ]);
  assert.deepEqual(step(pending, { peers, anchors }, "settled"), [
    "skipped",
    "0 of 2 peers, 1 of 2 external anchors, 1 pending",
  ]);
  assert.deepEqual(
    step({ cross_anchors: [cross], external_anchors: [external("confirmed")] }, {
      peers: peers.slice(0, 1),
      anchors: anchors.slice(0, 1),
    }),
    ["done", "1 of 1 peer, 1 of 1 external anchor"],
  );
});

Deno.test("rowState() and listProgress() count a list by what its rows wait for", () => {
  const phases: readonly StampPhase[] = [
    "queued",
    "hashing",
    "hashing",
    "sending",
    "signing",
    "batching",
    "anchoring",
    "settled",
    "failed",
    "cancelled",
  ];
  const rows = phases.map((phase, id): StampRow => ({ id, phase, job }));
  assert.deepEqual(listProgress(rows), {
    logged: 2,
    failed: 1,
    unfinished: 6,
    text: "3 to hash, 1 to send, 1 waiting for witnesses, 1 waiting for the next batch, " +
      "1 failed, 1 cancelled",
  });
  assert.equal(rowState({ id: 1, phase: "hashing", done: 1, size: 3 }).text, "Hashing 33 %");
  assert.equal(rowState({ id: 1, phase: "hashing", done: 0, size: 0 }).text, "Hashing");
  const failed = { ...job, status: "failed", progress: "unconfirmed" } as const;
  assert.equal(rowState({ ...row, job: failed }).text, "Failed");
});
