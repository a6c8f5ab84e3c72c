/** A monitor of real servers: a gateway and a peer, and a log of another implementation. */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { systemClock, unixSeconds } from "../../src/base/clock.ts";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import { contradictionMembers } from "../../src/proof/format/federation.ts";
import type { SuccessionLink } from "../../src/proof/format/succession.ts";
import { serveMonitor } from "../../src/server/monitor/monitor_server.ts";
import { withClient } from "../cli/client_run.ts";
import { contradictionOf, historyOf, loggedHead } from "../gateway/federation/histories.ts";
import { threeEpochs, twoSuccessions } from "../proof/verify/test_succession.ts";
import { until } from "../gateway/fixture.ts";
import { CosignedLog, ORIGIN, policyText } from "../logs/monitor/monitored_world.ts";
import { FakeClock } from "../fake_clock.ts";
import { answerOf } from "../logs/publishing/synthetic_log.ts";
import { served } from "../http/outgoing/fixture.ts";
import { TestNetwork } from "../proof/verify/fixture.ts";
import { CapturedIo } from "./captured_io.ts";
import { configure, once, sourceOfNetwork } from "./monitored_network.ts";
import { batch, ServedNetwork } from "./served_network.ts";

const SECRET = "0123456789abcdefghijklmn";
const HASH = "ab".repeat(32);

for (const scheme of ["ed25519", "bls"] as const) {
  Deno.test(`${scheme}: a gateway and a peer are monitored; a watched hash is found`, async () => {
    await withClient(async ({ folder }) => {
      const network = await ServedNetwork.create(folder, "watched.example", scheme);
      await Deno.copyFile(network.publicFile, join(folder, "public.json"));
      await network.serve(async ({ url }) => {
        const answer = await fetch(`${url}/v1/attestations`, {
          method: "POST",
          headers: { "Content-Type": "application/json", "Prefer": "wait=20" },
          body: JSON.stringify({ hash: HASH }),
        });
        await answer.body?.cancel();
        await batch(url, HASH);
        await served(() => Response.json([]), async (peer) => {
          await configure(folder, {
            logs: [{
              origin: "watched.example",
              network_config: "public.json",
              views: [
                { name: "gateway", url },
                { name: "peer", kind: "peer", url: peer },
              ],
              watch: [{ hash: HASH }],
            }],
          });
          const first = await once(folder);
          // The peer has not seen the log.
          assert.deepEqual(first.alerts.map(({ data }) => [data.kind, data.view]), [
            ["outage", "peer"],
          ]);
          assert.equal(first.code, 3);
          assert.deepEqual(first.summary.logs[0].views[0], {
            name: "gateway",
            up: true,
            tree_size: 1,
          });
          assert.deepEqual((await once(folder)).alerts, []);
          const state = JSON.parse(
            await Deno.readTextFile(join(folder, "monitor", "state.json")),
          );
          assert.equal(state.logs[0].watched[0].index, 0);
        });
      });
    });
  });
}

for (const scheme of ["ed25519", "bls"] as const) {
  Deno.test(`${scheme}: a network that rewrites its log is found, with a contradiction that others verify`, async () => {
    await withClient(async (client) => {
      const network = new TestNetwork("accused.example/log", { scheme });
      await client.write("accused.json", network.configuration);
      let log = historyOf(network, "one", 3, 9);
      await served((request) => answerOf(sourceOfNetwork(log), request), async (url) => {
        const trust = { origin: network.id, network_config: "accused.json" };
        await configure(client.folder, { logs: [{ ...trust, views: [{ name: "gateway", url }] }] });
        const honest = await once(client.folder);
        assert.deepEqual([honest.code, honest.alerts], [0, []]);
        log = historyOf(network, "two", 3, 12);
        const { code, alerts } = await once(client.folder);
        assert.deepEqual([code, alerts.map(({ data }) => data.kind)], [1, ["fork"]]);
        const proved = await client.runJson([
          "log",
          "contradictions",
          "--network-config",
          "accused.json",
          "--file",
          alerts[0].data.evidence,
        ]);
        assert.deepEqual([proved.code, proved.json.proved], [1, 1], proved.stdout);
        assert.ok(proved.json.contradictions[0].signed_both.length >= 2);
      });
    });
  });
}

for (const scheme of ["ed25519", "bls"] as const) {
  Deno.test(`${scheme}: a network that changed its keys is followed by the succession that its gateway shows`, async () => {
    await withClient(async (client) => {
      const { epochs, links, log } = threeEpochs(scheme, "follow.example");
      await client.write("public.json", publicNetwork(epochs[0].configuration));
      let shown: readonly SuccessionLink[] = links.slice(0, 1);
      const source = sourceOfNetwork(log);
      await served(async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/v1/succession") return Response.json(shown);
        return await answerOf(source, request);
      }, async (url) => {
        const trust = { origin: "follow.example", network_config: "public.json" };
        await configure(client.folder, { logs: [{ ...trust, views: [{ name: "gateway", url }] }] });
        // The head is of the third epoch.
        const strange = await once(client.folder);
        assert.deepEqual([strange.code, strange.alerts.map(({ data }) => data.class)], [
          1,
          ["trust"],
        ]);
        shown = links;
        const followed = await once(client.folder);
        assert.equal(followed.code, 0, JSON.stringify(followed));
        assert.equal(followed.summary.logs[0].tree_size, log.size);
      });
    });
  });
}

Deno.test("a peer that saw another history than the gateway shows is a fork", async () => {
  await withClient(async (client) => {
    const network = new TestNetwork("accused.example/log");
    await client.write("accused.json", network.configuration);
    const [log, other] = ["one", "two"].map((name) => historyOf(network, name, 3, 9));
    let seen = log!;
    await served(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/v1/federation/contradictions") return Response.json([]);
      if (pathname !== "/v1/federation/tree-heads") {
        return await answerOf(sourceOfNetwork(log!), request);
      }
      const { sth, logSignature } = loggedHead(seen, 7, { timestamp: unixSeconds(systemClock) });
      const head = { sth, log_signature: logSignature.toHex() };
      return Response.json([{ origin: network.id, seen_at: 1, ...head }]);
    }, async (url) => {
      await configure(client.folder, {
        logs: [{
          origin: network.id,
          network_config: "accused.json",
          views: [{ name: "gateway", url }, { name: "peer", kind: "peer", url }],
        }],
      });
      const honest = await once(client.folder);
      assert.deepEqual([honest.code, honest.alerts], [0, []]);
      seen = other!;
      const { alerts } = await once(client.folder);
      assert.deepEqual(alerts.map(({ data }) => [data.kind, data.view]), [["fork", "peer"]]);
      const proved = await client.runJson([
        "log",
        "contradictions",
        "--network-config",
        "accused.json",
        "--file",
        alerts[0].data.evidence,
      ]);
      assert.deepEqual([proved.code, proved.json.proved], [1, 1], proved.stdout);
    });
  });
});

for (const kind of ["two heads", "two successions"]) {
  Deno.test(`evidence of ${kind} that a peer has is kept as log contradictions verifies it`, async () => {
    await withClient(async (client) => {
      const isHeads = kind === "two heads";
      const accused = isHeads ? new TestNetwork("accused.example/log") : threeEpochs().epochs[0];
      const [one, two] = ["one", "two"].map((name) => historyOf(accused, name, 3, 9));
      const heads = contradictionMembers(contradictionOf([one!, 4], [two!, 9]));
      const evidence = isHeads ? heads : twoSuccessions();
      const seen = { origin: accused.id, seen_at: 1, ...heads.second };
      const damaged = { ...evidence, second: evidence.first };
      await client.write("accused.json", accused.configuration);
      await served(async (request) => {
        await Promise.resolve();
        const { pathname } = new URL(request.url);
        if (pathname === "/v1/federation/contradictions") {
          return Response.json([damaged, evidence]);
        }
        if (pathname === "/v1/federation/tree-heads") return Response.json([seen]);
        return new Response("none", { status: 404 });
      }, async (url) => {
        await configure(client.folder, {
          logs: [{
            origin: accused.id,
            network_config: "accused.json",
            views: [{ name: "gateway", url }, { name: "peer", kind: "peer", url }],
          }],
        });
        const { code, alerts } = await once(client.folder);
        assert.equal(code, 1);
        const forks = alerts.filter(({ data }) => data.kind === "fork");
        assert.deepEqual(forks.map(({ data }) => data.class), ["tampering"]);
        const proved = await client.runJson([
          "log",
          "contradictions",
          "--network-config",
          "accused.json",
          "--file",
          forks[0]!.data.evidence,
        ]);
        assert.deepEqual([proved.code, proved.json.proved], [1, 1], proved.stdout);
        assert.deepEqual(
          (await once(client.folder)).alerts.filter(({ data }) => data.kind === "fork"),
          [],
        );
      });
    });
  });
}

Deno.test("a log of others: signed webhook, metrics, a fork with evidence that anyone verifies, acknowledgement", async () => {
  await withClient(async (client) => {
    const { folder } = client;
    const clock = new FakeClock(unixSeconds(systemClock));
    const log = new CosignedLog(clock, [[600, ""]]);
    let mirror = log;
    /** Shown from the next poll on, not from the middle of one. */
    let nextMirror = log;
    const bodies: string[] = [];
    await client.write("unused.json", {});
    await Deno.writeTextFile(join(folder, "policy.txt"), policyText(log));
    await Deno.writeTextFile(join(folder, "secret"), SECRET, { mode: 0o600 });
    await served(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/hook") {
        const body = await request.text();
        const hmac = createHmac("sha256", SECRET).update(body).digest("hex");
        assert.equal(request.headers.get("Countersign-Signature"), `sha256=${hmac}`);
        bodies.push(body);
        return new Response("ok");
      }
      const [, place, path] = /^\/(\w+)\/(.*)$/.exec(pathname) ?? [];
      if (place === "mirror" && path === "checkpoint") mirror = nextMirror;
      const shown = place === "mirror" ? mirror : log;
      return await answerOf(shown, new Request(new URL(path ?? "", "http://log.example/")));
    }, async (url) => {
      const origin = new URL(url).origin;
      const members = {
        webhook: { url: `${origin}/hook`, secret_file: "secret" },
        metrics: { host: "127.0.0.1", port: 0 },
        interval_seconds: 1,
        logs: [{
          origin: ORIGIN,
          policy_file: "policy.txt",
          max_age_seconds: 3_600,
          views: ["operator", "mirror"].map((name) => ({ name, url: `${origin}/${name}/` })),
        }],
      };
      await configure(folder, { ...members, grace_seconds: 600 });
      const checked = await client.runJson(["config", "check", "monitor.json"]);
      assert.equal(checked.code, 0, checked.stdout);
      const io = new CapturedIo({ folder });
      const stop = new AbortController();
      const running = serveMonitor(
        { config: join(folder, "monitor.json"), once: false, json: false },
        io,
        stop.signal,
      );
      let metricsUrl = "";
      await until(() => {
        metricsUrl = /Metrics on (\S+)/.exec(io.errLines.join("\n"))?.[1] ?? "";
        return metricsUrl !== "";
      });
      const metric = async (name: string) => {
        const text = await (await fetch(metricsUrl)).text();
        return new RegExp(`^countersign_${name} (.*)$`, "m").exec(text)?.[1];
      };
      await until(async () => await metric(`monitor_tree_size\\{log="${ORIGIN}"\\}`) === "600");
      nextMirror = new CosignedLog(clock, [[300, ""], [400, "other "]]);
      await until(() => bodies.length === 1);
      assert.equal(await metric(`monitor_open_findings\\{class="tampering"\\}`), "1");
      const other = await fetch(new URL("/", metricsUrl));
      assert.equal(other.status, 404);
      await other.body?.cancel();
      const { type, data } = JSON.parse(bodies[0]!);
      assert.deepEqual([type, data.kind, data.view], ["finding.opened", "fork", "mirror"]);
      assert.match(
        io.stdout,
        /^tampering {2}fork {2}[0-9a-f]{16} {2}Log of example\.org, mirror: /,
      );
      const proved = await client.runJson([
        "log",
        "contradictions",
        "--policy",
        "policy.txt",
        "--file",
        data.evidence,
      ]);
      assert.deepEqual([proved.code, proved.json.proved], [1, 1], proved.stdout);
      const listed = await client.runJson(["monitor", "findings", "--config", "monitor.json"]);
      assert.deepEqual(listed.json.findings.map(({ id }: { id: string }) => id), [data.id]);
      const command = ["monitor", "acknowledge", "--config", "monitor.json"];
      assert.equal((await client.runJson([...command, "0".repeat(16)])).code, 2);
      const done = await client.runJson([...command, data.id, "--note", "seen"]);
      assert.equal(done.code, 0, done.stdout);
      await until(async () => await metric(`monitor_open_findings\\{class="tampering"\\}`) === "0");
      const waiting = () => Array.fromAsync(Deno.readDir(join(folder, "monitor", "acknowledged")));
      await until(async () => (await waiting()).length === 0);
      // The folder is that of one process.
      await assert.rejects(once(folder), { code: "data_in_use" });
      stop.abort();
      assert.equal(await running, 0);
      assert.match(io.errLines.at(-1)!, /Stopping$/);
      const all = await client.run(["monitor", "findings", "--config", "monitor.json", "--all"]);
      assert.match(all.stdout, /acknowledged \S+: seen/);
      const again = await once(folder);
      assert.deepEqual([again.code, again.alerts], [0, []]);
      assert.equal(bodies.length, 1);
      await configure(folder, { ...members, webhook: undefined });
    });
    const outage = await once(folder);
    assert.equal(outage.code, 3);
    assert.deepEqual(outage.alerts.map(({ data }) => data.class), ["outage", "outage"]);
    const shown = await client.run(["monitor", "findings", "--config", "monitor.json"]);
    assert.match(shown.stdout, /^[0-9a-f]{16} {2}outage {2}Log of example\.org, operator$/m);
    await Deno.writeTextFile(join(folder, "policy.txt"), "quorum none\n");
    await assert.rejects(once(folder), { message: /policy\.txt.*in log "Log of example\.org"/ });
  });
});

Deno.test("errors, redirects, other pages and truncated files of a real server are outages", async () => {
  await withClient(async ({ folder }) => {
    const log = new CosignedLog(new FakeClock(unixSeconds(systemClock)), [[300, ""]]);
    await Deno.writeTextFile(join(folder, "policy.txt"), policyText(log));
    const page = "<!doctype html><title>Moved</title>";
    const answers: Readonly<Record<string, (path: string) => Response | undefined>> = {
      error: () => new Response("oops", { status: 500 }),
      redirect: () => new Response("", { status: 302, headers: { Location: "/good/checkpoint" } }),
      page: () => new Response(page, { headers: { "Content-Type": "text/html" } }),
      bytes: () => new Response(new Uint8Array([0xff, 0xfe, 0])),
      cut: (path) => path.startsWith("tile/") ? new Response("short") : undefined,
      pages: (path) => path.startsWith("tile/") ? new Response(page) : undefined,
    };
    await served(async (request) => {
      const [, place = "", path = ""] = /^\/(\w+)\/(.*)$/.exec(new URL(request.url).pathname) ?? [];
      return answers[place]?.(path) ??
        await answerOf(log, new Request(new URL(path, "http://log.example/")));
    }, async (url) => {
      const names = ["good", ...Object.keys(answers)];
      const views = names.map((name) => ({ name, url: new URL(`${name}/`, url).href }));
      await configure(folder, { logs: [{ origin: ORIGIN, policy_file: "policy.txt", views }] });
      const { code, alerts, summary } = await once(folder);
      assert.equal(code, 3);
      assert.deepEqual(
        new Set(alerts.map(({ data }) => `${data.class} ${data.view}`)),
        new Set(Object.keys(answers).map((name) => `outage ${name}`)),
      );
      assert.deepEqual(summary.logs[0].views[0], { name: "good", up: true, tree_size: 300 });
      // A process that was killed left an unfinished file.
      const left = join(folder, "monitor", `.state.json.${crypto.randomUUID()}`);
      await Deno.writeTextFile(left, "{");
      assert.equal((await once(folder)).code, 3);
      await assert.rejects(Deno.stat(left), Deno.errors.NotFound);
    });
  });
});

Deno.test("a damaged state is named by every command", async () => {
  await withClient(async (client) => {
    const log = new CosignedLog(new FakeClock());
    await Deno.writeTextFile(join(client.folder, "policy.txt"), policyText(log));
    await configure(client.folder, {
      logs: [{
        origin: ORIGIN,
        policy_file: "policy.txt",
        views: [{ name: "operator", url: "http://127.0.0.1:1/" }],
      }],
    });
    await Deno.mkdir(join(client.folder, "monitor"));
    await Deno.writeTextFile(join(client.folder, "monitor", "state.json"), "{}");
    await assert.rejects(once(client.folder), { code: "store_corrupt" });
    const listed = await client.run(["monitor", "findings", "--config", "monitor.json"]);
    assert.equal(listed.code, 1);
    assert.match(listed.stderr, /state\.json": it is damaged/);
  });
});

Deno.test("a monitor ends when standard output is closed, and the next run sends its alerts", async () => {
  await withClient(async (client) => {
    const { folder } = client;
    await client.write("public.json", new TestNetwork("away.example/log").configuration);
    await configure(folder, {
      logs: [{
        origin: "away.example/log",
        network_config: "public.json",
        views: [{ name: "gateway", url: "http://127.0.0.1:1" }],
      }],
    });
    const io = new CapturedIo({ folder });
    io.isOutputClosed = true;
    const options = { config: join(folder, "monitor.json"), once: false, json: true };
    assert.equal(await serveMonitor(options, io, AbortSignal.timeout(60_000)), 141);
    const { alerts } = await once(folder);
    assert.deepEqual(alerts.map(({ data }) => data.kind), ["outage"]);
  });
});
