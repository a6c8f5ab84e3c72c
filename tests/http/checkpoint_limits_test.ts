import assert from "node:assert/strict";
import { join } from "node:path";
import { utf8 } from "../../src/base/bytes.ts";
import { WITNESS_LIMITS, type WitnessLimits } from "../../src/config/witness_limits.ts";
import { encodeAddCheckpoint } from "../../src/proof/format/add_checkpoint.ts";
import { parseIpRange } from "../../src/proof/format/ip_address.ts";
import { noteSignature } from "../../src/proof/format/note_writer.ts";
import { NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { encodeCheckpointBody } from "../../src/proof/format/tree_head.ts";
import { CheckpointLimits } from "../../src/http/witness/checkpoint_limits.ts";
import { CHECKPOINTS_IN_FLIGHT } from "../../src/http/limits.ts";
import { listen } from "../../src/http/listen.ts";
import { witnessApp } from "../../src/http/witness/witness_app.ts";
import type { WitnessSigner, WitnessState } from "../../src/witness/ports.ts";
import { inFolder } from "../server/captured_io.ts";
import { FakeClock } from "../fake_clock.ts";
import { clientOf, patience, TOKEN } from "./outgoing/fixture.ts";
import {
  NOW,
  pathOf,
  signerOf,
  StandingClock,
  testWitness,
  WITNESS_ID,
} from "../witness/fixture.ts";
import { cosignBody, log, problem, tree } from "./witness_server.ts";
import { openOrCreateState } from "../witness_states.ts";

const DEFAULTS = WITNESS_LIMITS.parse({}, { where: "limits", code: "malformed_configuration" });
const PROXY = "10.0.0.1";

/** The body of a request to cosign `tree` at `to`. */
function checkpointBody(from: number, to: number): string {
  const text = encodeCheckpointBody(log.head(tree, to));
  const { origin: name, signer: { publicKey } } = log;
  const key = { name, type: NOTE_TYPE.ed25519, publicKey };
  return encodeAddCheckpoint({
    oldSize: from,
    consistencyPath: pathOf(tree, from, to),
    checkpoint: { text, signatures: [noteSignature(key, log.signer.sign(utf8(text)))] },
  });
}

/** A signer that counts. */
function countingSigner(): { readonly signer: WitnessSigner; readonly count: () => number } {
  const signing = signerOf(WITNESS_ID);
  const { scheme, publicKey } = signing;
  let signed = 0;
  const sign = (message: Uint8Array) => (signed++, signing.sign(message));
  return { signer: { scheme, publicKey, sign }, count: () => signed };
}

/** A witness that stands at size 5, asked from addresses of a test's choice. */
async function limitedWitness(limits: Partial<WitnessLimits> = {}) {
  const clock = new FakeClock(NOW);
  const warnings: string[] = [];
  const reports: unknown[] = [];
  const app = witnessApp({
    witness: testWitness({ clock: new StandingClock() }),
    token: TOKEN,
    clock: new StandingClock(),
    limits: new CheckpointLimits(
      { ...DEFAULTS, ...limits },
      clock,
      (message) => warnings.push(message),
    ),
    report: (error) => reports.push(error),
  });
  const ask = (address: string, path: string, init: RequestInit) =>
    app(new Request(`http://witness.example${path}`, { method: "POST", ...init }), {
      remoteAddr: { transport: "tcp", hostname: address, port: 1 },
      completed: Promise.resolve(),
    });
  const submit = (address: string, body: BodyInit, headers: Record<string, string> = {}) =>
    ask(address, "/add-checkpoint", { body, headers });
  const cosign = (address: string, from: number, to: number) =>
    ask(address, "/v1/cosign", {
      headers: { "Authorization": `Bearer ${TOKEN}`, "Content-Type": "application/json" },
      body: JSON.stringify(cosignBody(from, to)),
    });
  assert.equal((await cosign("192.0.2.1", 0, 5)).status, 200);
  return { submit, cosign, clock, warnings, reports };
}

/** A body that never ends, and whether anything of it was read. */
function endlessBody() {
  let pulled = 0;
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (end = () => controller.error(new Error("gone"))),
    pull: () => void pulled++,
  }, { highWaterMark: 0 });
  return { body, pulled: () => pulled, end: () => end() };
}

Deno.test("an unknown client is charged before its body is read, the gateway never", async () => {
  const addCheckpoint = { perSecond: 1, burst: 3, inFlight: 8 };
  const { submit, cosign, clock, reports } = await limitedWitness({ addCheckpoint });
  const refresh = checkpointBody(5, 5);
  // What is wrong with a request is charged as well.
  const wrong = refresh.replace(/.{8}\n$/, "AAAAAAA=\n");
  assert.equal((await submit("198.51.100.1", wrong)).status, 403);
  assert.equal((await submit("198.51.100.1", "no checkpoint")).status, 400);
  assert.equal((await submit("198.51.100.1", refresh)).status, 200);
  const unread = endlessBody();
  const refused = await submit("198.51.100.1", unread.body);
  assert.equal(refused.headers.get("Retry-After"), "1");
  assert.equal(refused.headers.get("RateLimit-Policy"), '"add_checkpoint";q=3;w=3');
  await problem(refused, 429, "rate_limited");
  assert.equal(unread.pulled(), 0);
  // Another client, and the gateway from the very same address.
  assert.equal((await submit("198.51.100.2", refresh)).status, 200);
  for (let size = 5; size < 15; size++) {
    assert.equal((await cosign("198.51.100.1", size, size + 1)).status, 200);
  }
  await clock.advance(1_000);
  assert.equal((await submit("198.51.100.1", refresh)).status, 409);
  assert.deepEqual(reports, []);
});

Deno.test("requests in flight are limited for each unknown client and for all together", async () => {
  const addCheckpoint = { perSecond: 1_000, burst: 1_000, inFlight: 16 };
  const { submit, cosign, reports } = await limitedWitness({ addCheckpoint });
  const held = Array.from({ length: CHECKPOINTS_IN_FLIGHT }, () => endlessBody());
  const answers = held.map(({ body }, i) => submit(`198.51.100.${Math.floor(i / 16)}`, body));
  // The answer to one more, and that of one more when there is room for others.
  const busy = await submit("203.0.113.1", checkpointBody(5, 5));
  assert.ok(busy.headers.has("Retry-After"));
  await problem(busy, 503, "overloaded");
  assert.equal((await cosign("198.51.100.1", 5, 9)).status, 200);
  held.at(-1)!.end();
  await problem(await answers.at(-1)!, 400, "malformed_request");
  const crowded = await submit("198.51.100.0", checkpointBody(9, 9));
  assert.equal(crowded.headers.get("RateLimit"), '"add_checkpoint_in_flight";r=0');
  await problem(crowded, 429, "rate_limited");
  assert.equal((await submit("203.0.113.1", checkpointBody(9, 9))).status, 200);
  for (const { end } of held.slice(0, -1)) end();
  await Promise.all(answers);
  assert.equal((await submit("198.51.100.0", checkpointBody(9, 9))).status, 200);
  assert.deepEqual(reports, []);
});

Deno.test("clients behind a trusted proxy have separate budgets", async () => {
  const addCheckpoint = { perSecond: 1, burst: 1, inFlight: 8 };
  const trustedProxies = [parseIpRange(PROXY)!];
  const { submit } = await limitedWitness({ addCheckpoint, trustedProxies });
  const from = (client: string) =>
    submit(PROXY, checkpointBody(5, 5), { "X-Forwarded-For": client });
  for (const client of ["192.0.2.7", "192.0.2.8"]) assert.equal((await from(client)).status, 200);
  await problem(await from("192.0.2.7"), 429, "rate_limited");
  const { submit: untrusting, warnings } = await limitedWitness({ addCheckpoint });
  for (const client of ["192.0.2.7", "192.0.2.8"]) {
    await untrusting(PROXY, checkpointBody(5, 5), { "X-Forwarded-For": client });
  }
  assert.equal(warnings.length, 1);
});

Deno.test("1,000 concurrent unknown clients do not disturb the gateway and cause one signature and no writes", () =>
  inFolder(async (folder) => {
    const stored = await openOrCreateState(join(folder, "state.kv"));
    let writes = 0;
    const state: WitnessState = {
      load: (origin) => stored.load(origin),
      replace: (...swap) => (writes++, stored.replace(...swap)),
      loadSigned: () => stored.loadSigned(),
      appendSigned: (...runs) => (writes++, stored.appendSigned(...runs)),
      loadReleases: () => stored.loadReleases(),
      probe: () => stored.probe(),
    };
    const { signer, count } = countingSigner();
    const clock = new StandingClock();
    const listener = listen({
      hostname: "127.0.0.1",
      port: 0,
      // Without limits of a client: all strangers of this test have one address.
      handler: witnessApp({
        witness: testWitness({ state, clock, signer }),
        token: TOKEN,
        clock,
        report: (error) => assert.fail(String(error)),
      }),
      report: () => {},
    });
    try {
      const gateway = clientOf(listener.url);
      await gateway.cosign(log.request(tree, 0, 5), patience());
      const statuses = new Map<number, number>();
      const strangers = Array.from({ length: 1_000 }, async () => {
        const body = checkpointBody(5, 5);
        const response = await fetch(`${listener.url}/add-checkpoint`, { method: "POST", body });
        await response.body?.cancel();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      });
      for (let size = 5; size < 15; size++) {
        const answer = await gateway.cosign(log.request(tree, size, size + 1), patience());
        assert.equal(answer.kind, "cosigned");
      }
      await Promise.all(strangers);
      // Cosigned before the log grew, in conflict from then on, or refused as too many.
      assert.deepEqual(
        [...statuses.keys()].filter((status) => ![200, 409, 503].includes(status)),
        [],
      );
      assert.equal(writes, 11);
      // Of the head at size 5, strangers have the signature that the gateway had in this second.
      assert.equal(count(), 11);
    } finally {
      await listener.stop(1_000);
      stored.close();
    }
  }));
