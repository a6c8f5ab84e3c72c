/**
 * Fronts as processes of their own serve the clients of a log in PostgreSQL, while gateways, fronts and links
 * end. The long version is `failover_run.ts`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { eventually, whenSigned } from "../scenarios/deployment.ts";
import { FailoverSite } from "./failover_site.ts";

const ENOUGH = 100;
const CUT_MS = 3_000;

Deno.test("nothing accepted by fronts is lost when gateways, fronts and links end", async (t) => {
  await using site = await FailoverSite.start("ed25519", { fronts: 2, threads: [0, 1] });
  const fronts = site.fronts!;
  await site.accept(ENOUGH);

  await t.step("a digest that is sent to all fronts at once has one sequence", async () => {
    for (let round = 0; round < 20; round++) {
      const hash = crypto.getRandomValues(new Uint8Array(32)).toHex();
      const answers = await Promise.all(
        [0, 1, 0, 1].map((index) => whenSigned(() => linked(() => submit(site, index, hash)))),
      );
      const sequences = answers.map(({ status, json }) => {
        assert.equal(status, 200, JSON.stringify(json));
        return json.signed_attestation.attestation.sequence;
      });
      assert.equal(new Set(sequences).size, 1, `${sequences}`);
      site.accepted.add(hash);
    }
  });

  await t.step("what one front has accepted, the other one knows", async () => {
    for (let round = 0; round < 50; round++) {
      const hash = crypto.getRandomValues(new Uint8Array(32)).toHex();
      const accepted = await linked(() => submit(site, round, hash, 0));
      assert.ok([200, 202].includes(accepted.status), JSON.stringify(accepted));
      const path = `/v1/attestations/${hash}`;
      const { status, json } = await linked(() => ask(site, round + 1, path));
      assert.equal(status, 200, JSON.stringify(json));
      site.accepted.add(hash);
    }
    const unknown = await linked(() => ask(site, 0, `/v1/attestations/${"cd".repeat(32)}`));
    assert.deepEqual([unknown.status, unknown.json.code], [404, "hash_unknown"]);
  });

  await t.step("a hand-over moves all fronts", async () => {
    const active = await site.active();
    site.accepted.takeGap();
    site.handOver(active);
    await site.standsBy(active);
    await site.accept(ENOUGH);
  });

  await t.step("the next gateway serves the fronts when the active one is killed", async () => {
    const active = await site.active();
    await site.killGateway(active);
    await site.accept(ENOUGH);
    await site.startGateway(active);
  });

  await t.step("a front that was killed costs nothing that it accepted", async () => {
    await fronts.killFront(0);
    await site.accept(ENOUGH);
    await fronts.startFront(0);
    await site.accept(ENOUGH);
  });

  await t.step(
    "without a link, a front refuses hashes, serves reads and guesses nothing",
    async () => {
      const ended = Promise.withResolvers<void>();
      const [known] = site.accepted;
      for (const link of site.links) link.hold(ended.promise);
      await eventually("a front has no link", async () => {
        const { status } = await ask(site, 0, "/health");
        return status === 503 || undefined;
      });
      const response = await request(site, 0, "/v1/attestations", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ hash: "ab".repeat(32) }),
      });
      const { code } = await response.json();
      assert.deepEqual([response.status, code], [503, "standby"]);
      assert.ok(Number(response.headers.get("Retry-After")) > 0);
      assert.equal((await ask(site, 0, `/v1/attestations/${known}`)).status, 200);
      const unknown = await ask(site, 0, `/v1/attestations/${"cd".repeat(32)}`);
      assert.deepEqual([unknown.status, unknown.json.code], [503, "standby"]);
      const ready = await (await fetch(`${fronts.operatorUrl(0)}/ready`)).json();
      assert.deepEqual(ready.reasons.map(({ code }: { code: string }) => code), ["standby"]);
      setTimeout(ended.resolve, CUT_MS);
      await ended.promise;
      await site.accept(ENOUGH);
    },
  );

  await t.step(
    "a front that starts without a gateway serves reads until there is one",
    async () => {
      const [known] = site.accepted;
      for (const index of [0, 1]) await site.killGateway(index);
      await fronts.killFront(0);
      await fronts.startFront(0);
      assert.equal((await ask(site, 0, `/v1/attestations/${known}`)).status, 200);
      const checkpoint = await request(site, 0, "/checkpoint");
      assert.match(await checkpoint.text(), /^\S+\n[1-9]/);
      const refused = await request(site, 0, "/v1/attestations", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ hash: "ab".repeat(32) }),
      });
      const { code } = await refused.json();
      assert.deepEqual([refused.status, code], [503, "standby"]);
      assert.ok(Number(refused.headers.get("Retry-After")) > 0);
      const port = fronts.address(0).port;
      for (const index of [0, 1]) await site.startGateway(index);
      await site.accept(ENOUGH);
      assert.equal(fronts.server(0).stdout.match(new RegExp(`:${port}`, "g"))?.length, 1);
    },
  );

  await t.step("links that are cut again and again lose nothing", async () => {
    for (let cut = 0; cut < 10; cut++) {
      for (const [index, link] of site.links.entries()) link.switchTo(site.operatorPort(index));
      await site.accept(ENOUGH / 10);
    }
  });

  assert.deepEqual(await site.check(), []);
  assert.deepEqual(await site.audit(), []);
});

interface Answer {
  readonly status: number;
  // deno-lint-ignore no-explicit-any -- of whichever route
  readonly json: any;
}

/**
 * The answer of a front that has a gateway. On a machine with too much to do, a lease can end before it is
 * renewed; the fronts then promise nothing for a moment.
 */
function linked(send: () => Promise<Answer>): Promise<Answer> {
  return eventually("a front has a gateway", async () => {
    const answer = await send();
    return answer.status === 503 && answer.json.code === "standby" ? undefined : answer;
  });
}

async function submit(site: FailoverSite, front: number, hash: string, wait = 30) {
  const response = await request(site, front, "/v1/attestations", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Prefer": `wait=${wait}` },
    body: JSON.stringify({ hash }),
  });
  return { status: response.status, json: await response.json() };
}

async function ask(site: FailoverSite, front: number, path: string) {
  const response = await request(site, front, path);
  return { status: response.status, json: await response.json() };
}

function request(site: FailoverSite, front: number, path: string, init?: RequestInit) {
  const { hostname, port } = site.fronts!.address(front);
  return fetch(`http://${hostname}:${port}${path}`, init);
}
