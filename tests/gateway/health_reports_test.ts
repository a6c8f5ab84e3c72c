import assert from "node:assert/strict";
import { randomDigests, type SwitchedWitness } from "./fixture.ts";
import { Scenario } from "./scenario.ts";

const MAX_AGE_MS = 1_000;

async function running() {
  const scenario = new Scenario("ed25519");
  const { gateway, log } = await scenario.start(scenario.open(), { maxAgeMs: MAX_AGE_MS });
  const { clock, network: { witnesses } } = scenario;
  return { scenario, gateway, log, clock, witnesses };
}

function setDown(witnesses: readonly SwitchedWitness[], isDown: boolean): void {
  for (const witness of witnesses) witness.down = isDown;
}

Deno.test("a start, hours of work and a stop write no lines to the log", async () => {
  const { scenario, gateway, log, clock } = await running();
  for (let i = 0; i < 20; i++) {
    await scenario.submit(gateway, randomDigests(3));
    await clock.advance(300_000);
    assert.equal(gateway.status.health, "ok");
  }
  await gateway.stop();
  assert.deepEqual(log.lines, []);
});

Deno.test("a failing witness is logged once for all kinds of requests, and once when it recovers", async () => {
  const { scenario, gateway, log, clock, witnesses } = await running();
  setDown(witnesses.slice(2), true);
  for (let i = 0; i < 30; i++) {
    await scenario.submit(gateway, randomDigests(1));
    await clock.advance(2_000);
  }
  log.assertSaid("witness_unreachable", 1, 0);
  assert.equal(log.lines[0]!.witness, witnesses[2]!.id);
  assert.equal(gateway.status.health, "ok");
  setDown(witnesses.slice(2), false);
  for (let i = 0; i < 15; i++) {
    await scenario.submit(gateway, randomDigests(1));
    await clock.advance(2_000);
  }
  log.assertSaid("witness_unreachable", 1);
  assert.equal(log.lines.length, 2);
  await gateway.stop();
});

Deno.test("an unreachable threshold is logged and degraded within seconds, and health is 503 within 35 s", async () => {
  const { scenario, gateway, log, clock, witnesses } = await running();
  setDown(witnesses.slice(1), true);
  await scenario.submit(gateway, randomDigests(2));
  await clock.advance(5_000);
  log.assertSaid("threshold_not_met", 1, 0);
  assert.match(log.begun("threshold_not_met")[0]!.message, new RegExp(witnesses[1]!.id));
  assert.equal(gateway.status.health, "degraded");
  await clock.advance(30_000);
  assert.equal(gateway.status.health, "signing_stalled");
  // Accepted digests are durable, and are signed later.
  await scenario.submit(gateway, randomDigests(2));
  await clock.advance(600_000);
  setDown(witnesses, false);
  await scenario.settle(gateway);
  await clock.advance(15_000);
  assert.equal(gateway.status.health, "ok");
  log.assertSaid("threshold_not_met", 1);
  const errors = log.lines.filter(({ level }) => level === "error");
  assert.equal(errors.length, 2, "the threshold, and hashes that wait");
  await gateway.stop();
});

Deno.test("health is degraded with the first request that fails, and ok once a witness signs again", async () => {
  const { scenario, gateway, clock, witnesses } = await running();
  const hanging = witnesses.slice(1);
  for (const witness of hanging) witness.sign = () => new Promise(() => {});
  await scenario.submit(gateway, randomDigests(1));
  await clock.advance(4_900);
  assert.equal(gateway.status.health, "ok", "the witnesses have time to answer");
  await clock.advance(200);
  assert.equal(gateway.status.health, "degraded");
  for (const witness of hanging) delete (witness as Partial<SwitchedWitness>).sign;
  await scenario.settle(gateway);
  await clock.advance(15_000);
  assert.equal(gateway.status.health, "ok");
  await gateway.stop();
});

Deno.test("health is degraded, and no more, while nothing waits and no witness answers", async () => {
  const { gateway, log, clock, witnesses } = await running();
  setDown(witnesses, true);
  await clock.advance(25_000);
  assert.equal(gateway.status.health, "degraded");
  await clock.advance(95_000);
  assert.equal(gateway.status.health, "degraded");
  log.assertSaid("threshold_not_met", 1, 0);
  await gateway.stop();
});

Deno.test("health is publishing_stalled while rounds are signed and no head is cosigned", async () => {
  const { scenario, gateway, log, clock, witnesses } = await running();
  for (const witness of witnesses) {
    witness.cosign = () => Promise.reject(new Error("no head today"));
  }
  for (let i = 0; i < 20; i++) {
    await scenario.submit(gateway, randomDigests(1));
    await clock.advance(2_000);
  }
  assert.equal(gateway.status.health, "publishing_stalled");
  for (const witness of witnesses) delete (witness as Partial<SwitchedWitness>).cosign;
  await scenario.settle(gateway);
  await clock.advance(2_000);
  assert.equal(gateway.status.health, "ok");
  const messages = log.lines.map(({ message }) => message);
  assert.equal(messages.filter((text) => text.includes("publishing_stalled")).length, 1);
  assert.equal(messages.filter((text) => text.includes("published in time again")).length, 1);
  const [threshold] = log.begun("threshold_not_met");
  assert.match(threshold!.message, /cosign tree heads/);
  assert.doesNotMatch(threshold!.message, /sign rounds|nothing is signed/);
  await gateway.stop();
});

Deno.test("a clock jump does not stall a gateway", async () => {
  const { scenario, gateway, clock, witnesses } = await running();
  const [first] = witnesses;
  const sign = first!.sign.bind(first);
  // After the attempt has taken its time, and before a witness has compared it.
  first!.sign = (...request) => {
    delete (first as Partial<SwitchedWitness>).sign;
    clock.jump(86_400_000);
    return sign(...request);
  };
  await scenario.submit(gateway, randomDigests(1));
  await clock.advance(2_500);
  assert.equal(gateway.status.health, "degraded");
  await clock.advance(12_000);
  assert.equal(gateway.status.health, "ok");
  await gateway.stop();
});

Deno.test("the threshold stays reachable with one witness that fails to sign and one whose probe fails", async () => {
  const { scenario, gateway, log, clock, witnesses } = await running();
  const [, b, c] = witnesses;
  b!.sign = () => Promise.reject(new Error("no round today"));
  c!.checkHealth = () => Promise.reject(new Error("no probe today"));
  await scenario.submit(gateway, randomDigests(1));
  for (let i = 0; i < 30; i++) {
    await clock.advance(2_000);
    await scenario.submit(gateway, randomDigests(1));
  }
  assert.ok(log.lines.some(({ witness }) => witness === b!.id), "the first fails");
  assert.ok(log.lines.some(({ witness }) => witness === c!.id), "the second fails");
  log.assertSaid("threshold_not_met", 0, 0);
  await gateway.stop();
});

Deno.test("an expired failure is not logged as a recovery", async () => {
  const { scenario, gateway, log, clock, witnesses } = await running();
  witnesses[0]!.sign = () => Promise.reject(new Error("no round today"));
  await scenario.submit(gateway, randomDigests(1));
  await scenario.settle(gateway);
  await clock.advance(20 * 60_000);
  assert.equal(gateway.status.resource().witnesses[0]!.healthy, true);
  const messages = log.lines.map(({ message }) => message);
  assert.equal(messages.length, 2, messages.join("; "));
  assert.match(messages[1]!, /was not asked again \(signing rounds\)/);
  await gateway.stop();
});

Deno.test("a start long after a stop with an unpublished tail reports no late heads", async () => {
  const { scenario, gateway, clock, witnesses } = await running();
  for (const witness of witnesses) {
    witness.cosign = () => Promise.reject(new Error("no head today"));
  }
  const [sequence] = await scenario.submit(gateway, randomDigests(1));
  await clock.until(() => gateway.status.depths.confirmed > sequence!);
  const stopping = gateway.stop();
  await clock.advance(60_000);
  await stopping;
  for (const witness of witnesses) delete (witness as Partial<SwitchedWitness>).cosign;
  await clock.advance(3_600_000);
  const next = await scenario.start(scenario.open(), { maxAgeMs: 20_000 });
  await clock.advance(10_000);
  assert.equal(next.gateway.status.depths.published, sequence, "the tail waits for its batch");
  await scenario.settle(next.gateway);
  assert.deepEqual(next.log.lines, []);
  await next.gateway.stop();
});
