import assert from "node:assert/strict";
import {
  type ReadinessContext,
  readinessWarnings,
  unreadyReasons,
} from "../../src/server/gateway/readiness_checks.ts";
import type { Clock } from "../../src/base/clock.ts";
import { CountersignError } from "../../src/base/errors.ts";
import type { HealthStatus } from "../../src/proof/format/gateway_status.ts";
import { FakeClock } from "../fake_clock.ts";
import { memoryStore, randomDigests, TestNetwork, until } from "../gateway/fixture.ts";
import { wrapped } from "../gateway/wrapped_witness.ts";

const { network } = new TestNetwork();

const AGREEING: ReadinessContext["clocks"] = { finding: undefined, differences: [] };
const DISK = { subject: "disk", advice: "look at the disk" };
const WRITABLE = { ...DISK, check: () => Promise.resolve() };

/** A gateway that does all that it should, but for `members`. */
function context(members: {
  readonly health?: HealthStatus;
  readonly isLogKeyAway?: boolean;
  readonly healthy?: number;
  /** Absent: as many as are healthy. */
  readonly cosigning?: number;
  readonly waitsFor?: number;
  readonly batches?: () => Promise<never[]>;
  readonly disk?: ReadinessContext["disk"];
  readonly anchoring?: ReadinessContext["anchoring"];
  readonly issuers?: ReadinessContext["issuers"];
  readonly clocks?: ReadinessContext["clocks"];
}): ReadinessContext {
  const {
    health = "ok",
    isLogKeyAway = false,
    healthy = 2,
    cosigning = healthy,
    waitsFor,
    batches,
    disk = WRITABLE,
    anchoring,
  } = members;
  const { issuers, clocks = AGREEING } = members;
  const clock = new FakeClock(1_800_000_000_000);
  const now = Math.floor(clock.nowMs() / 1000);
  return {
    clock,
    clocks,
    batchMaxAgeMs: 5_000,
    disk,
    gateway: {
      network,
      status: {
        health,
        isLogKeyAway,
        missingWitnesses: (work) =>
          network.witnesses.slice(work === "sign" ? healthy : cosigning)
            .map(({ id: witness }) => ({ witness })),
        unpublishedSince: () =>
          Promise.resolve(waitsFor === undefined ? undefined : now - waitsFor),
      },
      log: { batches: batches ?? (() => Promise.resolve([])) },
    },
    ...(anchoring !== undefined && { anchoring }),
    ...(issuers !== undefined && { issuers }),
  };
}

async function codes(members: Parameters<typeof context>[0]): Promise<string[]> {
  return (await unreadyReasons(context(members))).map(({ code }) => code);
}

Deno.test("unreadyReasons() is empty without a fault", async () => {
  assert.deepEqual(await codes({}), []);
  assert.deepEqual(await codes({ waitsFor: 65 }), []);
  assert.deepEqual(await codes({ anchoring: { overdue: () => Promise.resolve([]) } }), []);
});

Deno.test("differing clocks are a warning, and a reason once signing stops", async () => {
  const detail = "The clock of this machine is 7.0 s ahead of those of w1, w2: set this clock";
  const disagreeing = (stopsSigning: boolean) => ({
    clocks: { finding: { message: detail, stopsSigning }, differences: [] },
  });
  const finding = { code: "clocks_disagree", detail } as const;
  assert.deepEqual(await codes(disagreeing(false)), []);
  assert.deepEqual(readinessWarnings(context(disagreeing(false))), [finding]);
  // Before the witnesses that are missing by their refusals: it names the cause.
  assert.deepEqual(
    await codes({ ...disagreeing(true), healthy: 0 }),
    ["clocks_disagree", "witnesses_missing"],
  );
  assert.deepEqual((await unreadyReasons(context(disagreeing(true))))[0], finding);
  assert.deepEqual(readinessWarnings(context(disagreeing(true))), []);
});

Deno.test("a log that has ended needs no witness, signer or issuer to be ready", async () => {
  const away = {
    healthy: 0,
    isLogKeyAway: true,
    issuers: { missingIssuers: () => ["i"] },
    clocks: { finding: { message: "", stopsSigning: true }, differences: [] },
  };
  assert.equal((await codes(away)).length, 4);
  assert.deepEqual(await codes({ ...away, health: "log_ended" }), []);
  const failing = { check: () => Promise.reject(new Error("read-only")), ...DISK };
  assert.deepEqual(await codes({ health: "log_ended", disk: failing }), ["storage_failed"]);
});

Deno.test("unreadyReasons() reports every fault", async () => {
  assert.deepEqual(await codes({ health: "store_rolled_back" }), ["store_rolled_back"]);
  assert.deepEqual(await codes({ healthy: 1 }), ["witnesses_missing"]);
  assert.deepEqual(await codes({ cosigning: 1 }), ["witnesses_missing"]);
  assert.deepEqual(
    await codes({ health: "witnesses_unavailable", healthy: 1 }),
    ["witnesses_unavailable", "witnesses_missing"],
  );
  assert.deepEqual(
    await codes({ health: "witnesses_unavailable", isLogKeyAway: true }),
    ["signer_unavailable", "witnesses_unavailable"],
  );
  assert.deepEqual(await codes({ waitsFor: 66 }), ["publishing_late"]);
  assert.deepEqual(await codes({ issuers: { missingIssuers: () => [] } }), []);
  assert.deepEqual(
    await codes({ issuers: { missingIssuers: () => ["issuer.example"] } }),
    ["issuer_unreachable"],
  );
  const overdue = () =>
    Promise.resolve([{ name: "tsa", treeSize: 7, since: 5, maxDelaySeconds: 300 }]);
  const reasons = await unreadyReasons(
    context({ healthy: 0, waitsFor: 1_000, anchoring: { overdue } }),
  );
  assert.deepEqual(
    reasons.map(({ code }) => code),
    ["witnesses_missing", "publishing_late", "anchor_overdue"],
  );
  assert.match(reasons[2]!.detail, /size 7 was not anchored by tsa within 300 s/);
});

Deno.test("unreadyReasons() reports an unreadable store", async () => {
  assert.deepEqual(
    await codes({ batches: () => Promise.reject(new Error("disk I/O error")) }),
    ["storage_failed"],
  );
  const corrupt = new CountersignError("store_corrupt", "Cannot read");
  assert.deepEqual(await codes({ batches: () => Promise.reject(corrupt) }), ["store_corrupt"]);
});

Deno.test("unreadyReasons() reports an unwritable disk among other reasons", async () => {
  const disk = { ...DISK, check: () => Promise.reject(new Error("/secret/path")) };
  assert.deepEqual(await codes({ disk }), ["storage_failed"]);
  const reasons = await unreadyReasons(context({ disk, healthy: 1 }));
  assert.deepEqual(reasons.map(({ code }) => code), ["storage_failed", "witnesses_missing"]);
  assert.ok(!JSON.stringify(reasons).includes("secret"));
});

Deno.test("a gateway is ready only while its witnesses answer", async () => {
  const home = new TestNetwork();
  const { gateway } = await home.start(await memoryStore());
  const clock = {
    nowMs: () => Date.now(),
    elapsedMs: () => performance.now(),
    sleep: () => Promise.resolve(),
  };
  const unready = (batchMaxAgeMs = 20) =>
    unreadyReasons({ gateway, clocks: AGREEING, batchMaxAgeMs, disk: WRITABLE, clock });
  await gateway.jobs.accept(randomDigests(1));
  await until(async () => (await unready()).length === 0);
  for (const witness of home.witnesses) witness.down = true;
  await gateway.jobs.accept(randomDigests(1));
  await until(async () => (await unready())[0]?.code === "witnesses_missing");
  for (const witness of home.witnesses) witness.down = false;
  await until(async () => (await unready()).length === 0);
  await gateway.stop();
  assert.deepEqual((await unready()).map(({ code }) => code), ["shutting_down"]);
});

Deno.test("a gateway is ready while a different witness fails for each kind of request", async () => {
  const home = new TestNetwork();
  const [, b, c] = home.witnesses;
  const { gateway } = await home.start(await memoryStore());
  const clock = {
    nowMs: () => Date.now(),
    elapsedMs: () => performance.now(),
    sleep: () => Promise.resolve(),
  };
  const unready = () =>
    unreadyReasons({ gateway, clocks: AGREEING, batchMaxAgeMs: 20, disk: WRITABLE, clock });
  await until(async () => (await unready()).length === 0);
  b!.sign = () => Promise.reject(new Error("no"));
  await gateway.jobs.accept(randomDigests(1));
  await until(() => gateway.status.missingWitnesses("sign").length === 1);
  assert.deepEqual(gateway.status.missingWitnesses("cosign"), []);
  assert.deepEqual(await unready(), []);
  c!.sign = b!.sign;
  await gateway.jobs.accept(randomDigests(1));
  await until(async () => (await unready())[0]?.code === "witnesses_missing");
  await gateway.stop();
});

Deno.test("a gateway whose heads are not cosigned reports publishing_late", async () => {
  const home = new TestNetwork();
  let isRefusing = true;
  const witnesses = home.witnesses.map((witness) =>
    wrapped(witness, {
      cosign: (...args) => isRefusing ? Promise.reject(new Error("no")) : witness.cosign(...args),
    })
  );
  const { gateway } = await home.start(await memoryStore(), {
    witnesses,
    acceptsBeforeWitnesses: true,
  });
  await gateway.jobs.accept(randomDigests(1));
  await until(() => gateway.status.depths.confirmed === 1);
  // A minute and more later, as this clock says.
  const later = {
    nowMs: () => Date.now() + 120_000,
    elapsedMs: () => performance.now(),
    sleep: () => Promise.resolve(),
  };
  const isLate = async (clock: Clock) =>
    (await unreadyReasons({ gateway, clocks: AGREEING, batchMaxAgeMs: 20, disk: WRITABLE, clock }))
      .some(({ code }) => code === "publishing_late");
  assert.equal(await isLate(later), true);
  isRefusing = false;
  await until(async () => !await isLate(later));
  assert.equal(gateway.status.depths.published, 1);
  await gateway.stop();
});
