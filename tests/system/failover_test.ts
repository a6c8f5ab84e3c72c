/**
 * A standby takes over a log in PostgreSQL from a gateway that was killed, stopped or suspended. The long
 * version is `failover_run.ts`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { eventually } from "../scenarios/deployment.ts";
import { IS_LONG } from "../long_runs.ts";
import { run } from "../scenarios/program.ts";
import { inFolder } from "../server/captured_io.ts";
import { configOf, FailoverSite, LEASE_LOST } from "./failover_site.ts";

const ENOUGH = 10;

/** Gateways of several threads also stand by, take over and hand over in `failover_federation_test.ts`. */
const FRONTS = IS_LONG ? [0, 2] : [0];

for (const fronts of FRONTS) {
  Deno.test(`nothing accepted is lost when gateways and the database end, and others take over (--fronts ${fronts})`, async (t) => {
    await using site = await FailoverSite.start("ed25519", { fronts });
    await site.accept(ENOUGH);

    await t.step("a second gateway that does not stand by is refused", async () => {
      const args = ["serve", "--config", configOf(0), "--data", "third", "--port", "0"];
      const { code, stderr } = await run(args, { cwd: site.deployment.folder });
      assert.equal(code, 1);
      assert.match(stderr, /another gateway is active/);
    });

    await t.step("a standby serves reads, and names the active gateway", async () => {
      const active = await site.active();
      const standby = 1 - active;
      const [known] = site.accepted;
      await eventually("a bundle of the standby", async () => {
        const { status } = await site.ask(standby, `/v1/bundle/${known}`);
        return status === 200 ? true : undefined;
      });
      const refused = await site.submit(standby, known!);
      assert.deepEqual([refused.status, refused.json.code], [503, "standby"]);
      assert.match(refused.json.detail, new RegExp(`http://active-${active}.example/`));
      const health = await site.ask(standby, "/health");
      // The probe of `deploy/kubernetes`.
      assert.equal((await site.ask(standby, "/openapi.json")).status, 200);
      assert.deepEqual([health.status, health.json.status], [503, "standby"]);
    });

    await t.step("a gateway that hands over becomes the standby of the next one", async () => {
      const next = site.server(1 - await site.active());
      const refusals = await refusedWhile(site, async () => {
        await site.handOver();
        await site.accept(ENOUGH);
      });
      // On a busy machine it may lose the lease and stop.
      if (!LEASE_LOST.test(next.stderr)) assert.deepEqual(refusals, []);
    });

    await t.step("the standby takes over when the active one stops", async () => {
      const active = await site.active();
      assert.equal(await site.stopGateway(active), 0);
      await site.accept(ENOUGH);
      await site.startGateway(active);
    });

    await t.step("a standby waits while it cannot read the database", async () => {
      await site.takeOverWithoutReads();
      await site.accept(ENOUGH);
    });

    await t.step(
      "the standby takes over when the active one and the database are killed",
      async () => {
        const active = await site.active();
        await site.postgres.stop("SIGKILL");
        await site.killGateway(active);
        await site.postgres.start();
        await site.isActive(1 - active);
        await site.accept(ENOUGH);
        await site.startGateway(active);
      },
    );

    await t.step(
      "a gateway that wakes after a take-over says fence_lost, and tells no client a falsehood",
      () => wakeAfterTakeOver(site),
    );

    assert.deepEqual(await site.check(), []);
    assert.deepEqual(await site.audit(), []);
    await site.resume();

    await t.step(
      "a replica that lacks commits and is promoted is store_rolled_back, before anything is accepted",
      () => promoteOldReplica(site),
    );
  });
}

Deno.test("a gateway with its log in its folder has no standby", () =>
  inFolder(async (folder) => {
    const { code, stderr } = await run(["serve", "--standby", "--port", "0"], { cwd: folder });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /Cannot stand by/);
  }));

/** How the standby refuses new connections because it stops, while `run` makes it the active gateway. */
async function refusedWhile(site: FailoverSite, run: () => Promise<void>): Promise<string[]> {
  const { hostname, port } = site.address(1 - await site.active());
  const refusals: string[] = [];
  let isRunning = true;
  const asking = (async () => {
    for (; isRunning; await pause(10)) {
      using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
      try {
        const response = await fetch(`http://${hostname}:${port}/v1/log/sth`, { client });
        const { code, detail } = await response.json();
        if (code === "shutting_down") refusals.push(detail);
      } catch {
        // The connection had reached the port that the standby closed.
      }
    }
  })();
  await run().finally(() => isRunning = false);
  await asking;
  return refusals;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Promotes a replica that lacks commits: nothing may be accepted from then on. */
async function promoteOldReplica(site: FailoverSite): Promise<void> {
  await using replica = await site.postgres.startReplica();
  await site.accept(ENOUGH);
  await replica.endReplication();
  await site.passed();
  await site.accept(ENOUGH);
  const active = await site.active();
  const standby = 1 - active;
  const lost = [...site.accepted].at(-1)!;
  // Of what no witness has signed, none could tell.
  await eventually("a hash that the replica lacks is signed", async () => {
    const { json } = await site.ask(active, `/v1/attestations/${lost}`);
    return json.status === "confirmed" || undefined;
  });
  const server = site.server(active);
  await site.postgres.stop("SIGKILL");
  // Its processes may go on for a moment, and answers may be under way. Of what is sent from here on, nothing
  // may be accepted.
  for (const proxy of site.proxies) proxy.switchTo(site.postgres.port);
  await site.passed();
  const accepted = site.accepted.size;
  await replica.promote();
  for (const proxy of site.proxies) proxy.switchTo(replica.port);
  // The gateway was active on both servers: it remembers what the replica lacks.
  assert.equal(await server.ended(), 1);
  assert.match(server.stderr, /replica.*promoted/);
  site.forget(active);
  await eventually("the standby finds the store rolled back", async () => {
    const { json } = await site.ask(standby, "/health");
    return json.status === "store_rolled_back" || undefined;
  });
  for (const hash of [lost, "ab".repeat(32)]) {
    await eventually("the standby refuses because of that", async () => {
      const { status, json } = await site.submit(standby, hash);
      // On a busy machine it may lose the lease meanwhile, and refuses because of that.
      assert.equal(status, 503);
      return json.code === "store_rolled_back" || undefined;
    });
  }
  assert.equal(site.accepted.size, accepted);
}

/** Suspends the active gateway until the other one has taken a hash, and reads from it as it wakes. */
async function wakeAfterTakeOver(site: FailoverSite): Promise<void> {
  const old = await site.active();
  const next = 1 - old;
  const { hostname, port } = site.address(old);
  const known = [...site.accepted][0]!;
  const server = site.server(old);
  server.signal("SIGSTOP");
  await eventually("the standby takes over", async () => {
    const { json } = await site.ask(next, "/health");
    return json.status === "ok" || undefined;
  });
  const fresh = crypto.getRandomValues(new Uint8Array(32)).toHex();
  await eventually("a hash that the old one does not have", async () => {
    const { status } = await site.submit(next, fresh);
    return status < 300 || undefined;
  });
  const seen = new Map<string, number>();
  let isReading = true;
  const read = async (path: string) => {
    while (isReading) {
      try {
        const answer = await fetch(`http://${hostname}:${port}${path}`);
        const { code = "" } = await answer.json();
        const key = `${path.split("/").slice(0, 3).join("/")} ${answer.status} ${code}` +
          (path.includes(fresh) ? " of an unknown hash" : "") +
          (answer.status === 503 ? ` ${answer.headers.get("Retry-After")}` : "");
        seen.set(key, (seen.get(key) ?? 0) + 1);
      } catch {
        await pause(20);
      }
    }
  };
  const before = server.stderr.length;
  const readers = [
    `/v1/attestations/${fresh}`,
    `/v1/bundle/${fresh}`,
    `/v1/bundle/${known}`,
    `/v1/attestations/${known}`,
    "/v1/status",
    "/v1/log/sth",
  ].map(read);
  server.signal("SIGCONT");
  const code = await server.ended();
  isReading = false;
  await Promise.all(readers);
  const said = server.stderr.slice(before);
  assert.equal(code, 1);
  assert.match(said, /another (gateway|process) has taken.*fence_lost/);
  assert.doesNotMatch(said, /store_rolled_back/);
  const lines = said.split("\n").filter((line) => line.includes("[ERR]"));
  assert.ok(lines.length <= 3, said);
  const answers = [...seen.keys()];
  assert.deepEqual(
    answers.filter((answer) => !/ (200 |503 (standby|shutting_down|storage_failed) )/.test(answer)),
    [],
  );
  // On a busy machine it shuts down before it has answered any read with 200.
  assert.notDeepEqual(answers, [], "the gateway answered nothing after it woke");
  site.forget(old);
  await site.startGateway(old);
}
