import assert from "node:assert/strict";
import { isTemporary } from "../../src/client/gateway_connection.ts";
import { followJob, type JobState } from "../../src/client/job_follower.ts";
import { stampSteps, type StepState } from "../../src/explorer/stamp/stamp_steps.ts";
import {
  type Delays,
  HASH,
  JobGateway,
  network,
  refusal,
  unreachable,
  whole,
} from "./job_gateway.ts";

const never = new AbortController().signal;

/** What was reported and how long was waited, in milliseconds. */
async function follow(gateway: JobGateway, signal: AbortSignal = never) {
  const reports: JobState[] = [];
  const waits: number[] = [];
  const ended = followJob(HASH, {
    gateway: gateway.api,
    report: (followed) => reports.push(followed),
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    random: () => 0,
  }, signal);
  return { ended: await ended.then(() => "settled", (error) => error), reports, waits };
}

function statesOf(followed: JobState): readonly StepState[] {
  return stampSteps({ id: 1, hash: HASH, phase: "settled", ...followed }).map(({ state }) => state);
}

/** The states of the steps, each time that they changed. */
function journey(reports: readonly JobState[]): readonly string[] {
  const told = reports.map((report) =>
    stampSteps({ id: 1, hash: HASH, phase: "following", ...report }).map(({ state }) => state).join(
      " ",
    )
  );
  return told.filter((text, i) => text !== told[i - 1]);
}

Deno.test("a hash is followed from its acceptance to the last anchor", async () => {
  const gateway = new JobGateway({ pending: 2, unbatched: 2, unanchored: 3 });
  gateway.peers = ["peer.example"];
  const { ended, reports, waits } = await follow(gateway);
  assert.equal(ended, "settled");
  assert.deepEqual(journey(reports), [
    "done active waiting waiting",
    "done done active waiting",
    "done done done waiting",
    "done done done active",
    "done done done done",
  ]);
  assert.deepEqual(waits, [2000, 2000, 5000, 5000]);
  assert.equal(gateway.asked.filter((what) => what.startsWith("submit")).length, 1);
});

Deno.test("a network that anchors nowhere leaves the last step out", async () => {
  const { reports } = await follow(new JobGateway());
  assert.deepEqual(statesOf(reports.at(-1)!), ["done", "done", "done", "skipped"]);
});

Deno.test("a job that failed is told as such", async () => {
  const gateway = new JobGateway();
  gateway.isFailed = true;
  const { ended, reports } = await follow(gateway);
  assert.equal(ended, "settled");
  assert.deepEqual(statesOf(reports.at(-1)!), ["done", "failed", "waiting", "waiting"]);
});

Deno.test("a lost line is told, waited for longer each time, and taken up where it was", async () => {
  const stages: Delays[] = [{}, { pending: 1 }, { unbatched: 1 }, { unanchored: 1 }];
  for (const stage of stages) {
    for (let before = 0; before < 5; before++) {
      const gateway = new JobGateway(stage);
      gateway.peers = ["peer.example"];
      const { api } = gateway;
      let left = before;
      const cut = <T extends (...of: never[]) => Promise<unknown>>(ask: T): T =>
        ((...of: never[]) => {
          if (left-- === 0) gateway.faults.push(unreachable(), refusal(502), refusal(429));
          return ask(...of);
        }) as T;
      const watched = {
        submit: cut(api.submit),
        job: cut(api.job),
        bundle: cut(api.bundle),
        status: cut(api.status),
      };
      const { ended, reports, waits } = await follow(
        Object.defineProperty(gateway, "api", { value: watched }),
      );
      assert.equal(ended, "settled");
      const lost = reports.filter((report) => report.lost !== undefined);
      assert.equal(lost.length, before < gateway.asked.length - 3 ? 3 : 0);
      assert.equal(reports.at(-1)!.lost, undefined);
      assert.deepEqual(waits.filter((ms) => ms % 1000 === 500 || ms === 1000), [500, 1000]);
      assert.deepEqual(statesOf(reports.at(-1)!), ["done", "done", "done", "done"]);
    }
  }
});

Deno.test("a gateway that says when to come again is asked then, within bounds", async () => {
  const gateway = new JobGateway();
  gateway.faults.push(refusal(503, 7), refusal(503, 3600));
  const { waits } = await follow(gateway);
  assert.deepEqual(waits, [7000, 15_000]);
});

Deno.test("what no patience mends ends it at once", async () => {
  for (const fault of [refusal(400), refusal(500), new TypeError("a fault of ours")]) {
    const gateway = new JobGateway();
    gateway.faults.push(fault);
    const { ended, waits } = await follow(gateway);
    assert.equal(ended, fault);
    assert.deepEqual(waits, []);
    assert.equal(isTemporary(fault), false);
  }
});

Deno.test("aborting ends it in whatever it waits for", async () => {
  const stop = new AbortController();
  stop.abort(new Error("cancelled"));
  const gateway = new JobGateway({ unbatched: 5 });
  const { ended } = await follow(gateway, stop.signal);
  assert.match(String(ended), /cancelled/);
  assert.ok(gateway.asked.length <= 3);
});

Deno.test("signers are named within their network", async () => {
  const { reports } = await follow(new JobGateway());
  const [, confirmed] = stampSteps({ id: 1, hash: HASH, phase: "settled", ...reports.at(-1)! });
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
    anchoring: JobState["anchoring"] & object,
    phase: "following" | "settled" = "following",
  ) => {
    const value = { ...whole, ...bundle };
    const steps = stampSteps({ id: 1, hash: HASH, phase, bundle: { text: "", value }, anchoring });
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
