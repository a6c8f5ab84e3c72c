/**
 * Whole gateways whose store is in a KV Connect database, with a server of the tests.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { CrashLoop } from "../scenarios/crash_loop.ts";
import { Deployment, eventually, GATEWAY_READY } from "../scenarios/deployment.ts";
import { run, Server } from "../scenarios/program.ts";
import { inFolder } from "../server/captured_io.ts";
import { KV_TOKEN, KvConnectServer } from "../storage/kv_connect_server.ts";
import { writeCertificate } from "./certificate.ts";
import { storeInKvConnect } from "./kv_connect_trial.ts";
import { createTrial } from "./postgres_trial.ts";

const STANDBY_READY = /^Countersign standby of \S+ on (http:\/\/\S+)$/m;
const CONFIG = join("data", "network", "network.json");

function serve(folder: string, args: readonly string[] = ["--data", "data"], env = {}) {
  const where = { cwd: folder, env };
  return Server.start(["serve", "--port", "0", ...args], GATEWAY_READY, where);
}

function newHash(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toHex();
}

/** Submits a hash; the status, and the code of a refusal. */
async function submit(url: string, wait: number, hash = newHash()) {
  const answer = await fetch(`${url}/v1/attestations`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Prefer": `wait=${wait}` },
    body: JSON.stringify({ hash }),
  });
  const { code } = await answer.json();
  return { hash, status: answer.status, isAccepted: answer.ok, code };
}

async function isProved(url: string, hash: string): Promise<true | undefined> {
  const answer = await fetch(`${url}/v1/bundle/${hash}`);
  await answer.body?.cancel();
  return answer.status === 200 || undefined;
}

async function assertSound(folder: string, args: readonly string[], least: number, env = {}) {
  const checked = await run(["fsck", ...args], { cwd: folder, env });
  assert.equal(checked.code, 0, checked.stderr + checked.stdout);
  const [, accepted] = /accepted: (\d+) digests/.exec(checked.stdout)!;
  assert.ok(Number(accepted) >= least, `${accepted} of ${least}`);
}

for (const isSecure of [false, true]) {
  Deno.test(`a gateway has its log in KV Connect by ${isSecure ? "https" : "http"}`, () =>
    inFolder(async (folder) => {
      const tls = isSecure ? await writeCertificate(folder, "tls") : undefined;
      await using kv = new KvConnectServer(tls && { tls });
      const env = tls && { DENO_CERT: join(folder, "tls.pem") };
      await createTrial(folder);
      await storeInKvConnect(join(folder, "data", "network"), kv);
      for (const starts of [1, 2]) {
        const { server, match } = await serve(folder, undefined, env);
        await using gateway = server;
        const where = { cwd: folder, env: { ...env, COUNTERSIGN_GATEWAY: match[1]! } };
        const name = `${starts}.txt`;
        await Deno.writeTextFile(join(folder, name), `${name}\n`);
        const stamped = await run(["stamp", "--save", "--wait-batched", name], where);
        assert.equal(stamped.code, 0, stamped.stderr);
        const verified = await run([
          "verify-proof",
          "--bundle",
          `${name}.countersign.json`,
          "--file",
          name,
          "--network-config",
          "data/network/network.public.json",
        ], where);
        assert.equal(verified.code, 0, verified.stderr);
        assert.match(gateway.stdout, new RegExp(`^ {2}store: {5}${kv.url}$`, "m"));
        assert.equal(await gateway.stop(), 0);
        assert.ok(!(gateway.stdout + gateway.stderr).includes(KV_TOKEN));
      }
      await assertSound(folder, ["--data", "data"], 2, env);
      assert.deepEqual(
        [...Deno.readDirSync(join(folder, "data"))].filter(({ name }) => name.endsWith(".kv")),
        [],
      );
      assert.ok(kv.used.checks <= 10 && kv.size > 0);
    }));
}

Deno.test("commands refuse what a log in KV Connect does not have", () =>
  inFolder(async (folder) => {
    await using kv = new KvConnectServer();
    await createTrial(folder);
    const network = join(folder, "data", "network");
    await storeInKvConnect(network, kv);
    const checked = await run(["config", "check", CONFIG], { cwd: folder });
    assert.equal(checked.code, 0, checked.stdout + checked.stderr);
    const refused = async (pattern: RegExp, ...args: readonly string[]) => {
      const { code, stderr, stdout } = await run(args, { cwd: folder });
      assert.notEqual(code, 0);
      assert.match(stdout + stderr, pattern);
    };
    await refused(/only one thread can read/, "serve", "--data", "data", "--fronts", "2");
    await refused(/witnesses are embedded/, "serve", "--data", "data", "--standby");
    await refused(/backup of its server/, "backup", "--data", "data", "--to", "backup");
    await Deno.writeTextFile(join(network, "kv-token"), "another-token-of-24-characters\n");
    await refused(/refused the token/, "serve", "--data", "data", "--port", "0");
    await Deno.writeTextFile(join(network, "kv-token"), "short\n");
    await refused(/24 to 512 characters/, "config", "check", CONFIG);
    await Deno.remove(join(network, "kv-token"));
    await refused(/kv-token/, "config", "check", CONFIG);
    assert.equal(kv.size, 0);
  }));

Deno.test("a gateway loses nothing accepted to lost answers and the absence of its KV Connect server", () =>
  inFolder(async (folder) => {
    await using kv = new KvConnectServer();
    await createTrial(folder);
    await storeInKvConnect(join(folder, "data", "network"), kv);
    const accepted: string[] = [];
    {
      const { server, match } = await serve(folder);
      await using gateway = server;
      const url = match[1]!;
      let isLoaded = true;
      const client = async () => {
        while (isLoaded) {
          const { isAccepted, hash } = await submit(url, 1);
          if (isAccepted) accepted.push(hash);
          else await new Promise((resolve) => setTimeout(resolve, 50));
        }
      };
      const clients = Promise.all([client(), client(), client(), client()]);
      const more = async () => {
        const enough = accepted.length + 20;
        await eventually(
          "20 more are accepted",
          () => Promise.resolve(accepted.length >= enough || undefined),
        );
      };
      await more();
      for (let losses = 0; losses < 20; losses++) {
        kv.faults.push("lost answer", "unavailable");
        await eventually(
          "a fault was met",
          () => Promise.resolve(kv.faults.length === 0 || undefined),
        );
      }
      await more();
      await kv.cut();
      const refusal = await submit(url, 30);
      assert.equal(refusal.status, 503);
      kv.restart();
      await more();
      kv.pause();
      // Until the lease ends, or the store counts as failing.
      await eventually(
        "a submission is refused",
        async () => await submit(url, 1).then(({ isAccepted }) => isAccepted ? undefined : true),
      );
      kv.resume();
      await more();
      isLoaded = false;
      await clients;
      for (const hash of accepted) {
        await eventually(`${hash} is proved`, () => isProved(url, hash));
      }
      assert.ok(!gateway.stderr.includes(KV_TOKEN));
      kv.pause();
      // The last requests to the server are given up.
      assert.equal(await gateway.stop(), 0);
      kv.resume();
    }
    await assertSound(folder, ["--data", "data"], accepted.length);
  }));

Deno.test("kill -9 of gateways and witnesses over KV Connect loses nothing accepted", async (t) => {
  await using kv = new KvConnectServer();
  await using loop = await CrashLoop.start("ed25519", {
    seed: "kv connect",
    thinkMs: 0,
    fronts: [0],
    prepare: ({ folder }) => storeInKvConnect(join(folder, "net"), kv),
  });
  const crash = { delayMs: 0, downMs: 0, atCosigningOf: undefined, gateway: true } as const;
  await loop.crash({ ...crash, witnesses: [], againAfterMs: undefined }, 300);
  await loop.crash({ ...crash, witnesses: [0, 1, 2], againAfterMs: 150 }, 300);
  for await (const { what, violations } of loop.check()) {
    await t.step(`${what}: no violation`, () => assert.deepEqual(violations, []));
  }
});

Deno.test("of two gateways over KV Connect one is active, and a standby takes over", async (t) => {
  await using kv = new KvConnectServer();
  await using site = await Deployment.create("ed25519");
  await storeInKvConnect(join(site.folder, "net"), kv);
  await Promise.all([0, 1, 2].map((index) => site.startWitness(index)));
  await site.startGateway("--public-url", "http://first.example/");
  const hashes = [(await submit(site.url, 30)).hash];
  const config = ["--config", join("net", "network.json")];
  const ports = ["--port", "0", "--event-sockets-port", "0"];
  const other = ["serve", ...config, "--data", "other", ...ports];

  await t.step("a second gateway that does not stand by is refused", async () => {
    const { code, stderr } = await run(other, { cwd: site.folder });
    assert.equal(code, 1);
    assert.match(stderr, /another gateway is active/);
  });

  const { server, match } = await Server.start([...other, "--standby"], STANDBY_READY, {
    cwd: site.folder,
  });
  await using standby = server;
  const url = match[1]!;

  await t.step("a standby serves reads, and names the active gateway", async () => {
    await eventually("a bundle of the standby", () => isProved(url, hashes[0]!));
    const { status, code } = await submit(url, 1);
    assert.deepEqual([status, code], [503, "standby"]);
  });

  await t.step("the standby takes over from a gateway that was suspended, which ends", async () => {
    site.gateway.signal("SIGSTOP");
    const taken = await eventually("the standby accepts a hash", async () => {
      const submitted = await submit(url, 10).catch(() => undefined);
      return submitted?.isAccepted ? submitted.hash : undefined;
    });
    hashes.push(taken);
    site.gateway.signal("SIGCONT");
    assert.equal(await site.gateway.ended(), 1);
    assert.match(site.gateway.stderr, /another (gateway|process) has taken/);
    for (const hash of hashes) await eventually("a bundle", () => isProved(url, hash));
  });

  assert.equal(await standby.stop(), 0);
  await assertSound(site.folder, [...config, "--data", "other"], hashes.length);
});

Deno.test("a log moves to KV Connect, goes on there, and moves back", () =>
  inFolder(async (folder) => {
    await using kv = new KvConnectServer();
    await createTrial(folder);
    const network = join(folder, "data", "network");
    const local = await Deno.readTextFile(join(network, "network.json"));
    const hashes: string[] = [];
    const attest = async (args?: readonly string[]) => {
      const { server, match } = await serve(folder, args);
      await using gateway = server;
      const { hash, isAccepted } = await submit(match[1]!, 30);
      assert.ok(isAccepted);
      hashes.push(hash);
      for (const one of hashes) await eventually("a bundle", () => isProved(match[1]!, one));
      assert.equal(await gateway.stop(), 0);
    };
    const copy = async (from: string, to: string) => {
      const env = { COUNTERSIGN_TOKEN_FROM: KV_TOKEN, COUNTERSIGN_TOKEN_TO: KV_TOKEN };
      const args = ["store", "copy", "--from", from, "--to", to, "--config", CONFIG];
      const moved = await run(args, { cwd: folder, env });
      assert.equal(moved.code, 0, moved.stdout + moved.stderr);
      assert.match(moved.stdout, /^MOVED$/m);
    };
    const assertMoved = async () => {
      const left = await run(["serve", "--data", "data", "--port", "0"], { cwd: folder });
      assert.notEqual(left.code, 0);
      assert.match(left.stderr, /its log was moved to/);
    };
    await attest();
    await copy("data", kv.url);
    await assertMoved();
    await storeInKvConnect(network, kv);
    await attest();
    await assertSound(folder, ["--data", "data"], 2);
    await copy(kv.url, "back");
    await assertMoved();
    await Deno.writeTextFile(join(network, "network.json"), local);
    const back = ["--config", CONFIG, "--data", "back"];
    await attest(back);
    await assertSound(folder, back, 3);
  }));
