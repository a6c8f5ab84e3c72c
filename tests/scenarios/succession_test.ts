/**
 * One log under load replaces all of its witnesses, gets a larger threshold and another log key, while
 * gateways and witnesses are killed. Who pinned its first configuration can verify every bundle.
 *
 * @module
 */

import assert from "node:assert/strict";
import { hexOf } from "../../src/base/bytes.ts";
import { nativeCrypto } from "../schemes.ts";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { parseVkey } from "../../src/proof/format/note_key.ts";
import { parseSuccessionChain } from "../../src/proof/format/succession.ts";
import { fingerprintOf } from "../../src/proof/format/trust_core.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { followSuccession } from "../../src/proof/verify/followed_network.ts";
import { IS_LONG } from "../long_runs.ts";
import { endOfLog } from "../../src/proof/verify/log_end.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { eventually, GATEWAY_READY } from "./deployment.ts";
import { run, Server } from "./program.ts";
import { type Change, SuccessionSite } from "./succession_site.ts";
import { bls } from "../schemes.ts";

const CHANGES: readonly Change[] = [
  { witnesses: ["w2", "w3", "w4"], threshold: 2 },
  { witnesses: ["w3", "w4", "w5"], threshold: 2 },
  { witnesses: ["w4", "w5", "w6"], threshold: 2 },
  { witnesses: ["w4", "w5", "w6", "w7", "w8"], threshold: 3 },
  { witnesses: ["w4", "w5", "w6", "w7", "w8"], threshold: 3, rotatesLogKey: true },
];

/** Every witness, the threshold and the log key change at once. */
const ONE_CHANGE: readonly Change[] = [
  { witnesses: ["w4", "w5", "w6"], threshold: 3, rotatesLogKey: true },
];

/** So large is the log, at the least, before its last change. */
const ENOUGH = 50;

/** Submits hashes until it is stopped, each until it is accepted. */
class Submitter {
  readonly accepted: string[] = [];
  readonly #site: SuccessionSite;
  #isStopped = false;
  readonly #ended: Promise<void>;

  constructor(site: SuccessionSite) {
    this.#site = site;
    this.#ended = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const hash = hexOf(crypto.getRandomValues(new Uint8Array(32)));
      if (await this.#submit(hash)) this.accepted.push(hash);
      await pause(25);
    }
  }

  async #submit(hash: string): Promise<boolean> {
    try {
      const response = await fetch(new URL("/v1/attestations", this.#site.url), {
        method: "POST",
        headers: { "Content-Type": "application/json", "Prefer": "respond-async" },
        body: JSON.stringify({ hash }),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The bundle of `hash`, once it is in a batch. */
function batchedBundle(site: SuccessionSite, hash: string): Promise<string> {
  return eventually("a batch", async () => {
    const text = await site.get(`/v1/bundle/${hash}`);
    return text !== undefined && JSON.parse(text).batch_inclusion !== null ? text : undefined;
  });
}

/** What C2SP readers see: the policy of the present epoch, and each witness under one name and key. */
async function checkNotes(site: SuccessionSite, keys: Map<string, string>): Promise<void> {
  const { log_vkey, witnesses, threshold } = await site.operator();
  const lines = (await site.get("/policy"))!.trimEnd().split("\n");
  const ids = witnesses.map(({ id }) => id);
  assert.equal(lines[0], `log ${log_vkey}`);
  assert.deepEqual(
    lines.filter((line) => line.startsWith("witness "))
      .map((line) => parseVkey(line.split(" ")[2]!).name),
    ids,
  );
  const [, , required, ...members] = lines.at(-2)!.split(" ");
  assert.deepEqual([required, members.length], [String(threshold), ids.length]);
  const cosigned = await eventually("a checkpoint of the epoch", async () => {
    const note = await site.get("/checkpoint");
    const signed = note?.split("\n").filter((line) => line.startsWith("\u2014 "))
      .map((line) => line.split(" ")) ?? [];
    const names = signed.slice(1).map(([, name]) => name!);
    return signed.length > 0 && names.every((name) => ids.includes(name)) ? signed : undefined;
  });
  for (const [, name, signature] of cosigned.slice(1)) {
    // The name and the key, of which a signature line has the first bytes.
    const keyId = atob(signature!).slice(0, 4);
    assert.equal(keys.get(name!) ?? keyId, keyId, name!);
    keys.set(name!, keyId);
  }
}

const DEPLOYMENTS: readonly (readonly [SignatureScheme, number, readonly Change[]])[] = IS_LONG
  ? [["ed25519", 2, CHANGES], ["bls", 0, CHANGES]]
  : [["ed25519", 1, ONE_CHANGE]];

for (const [scheme, fronts, changes] of DEPLOYMENTS) {
  Deno.test(`a ${scheme} log with ${fronts} fronts outlives its witnesses and its key`, async () => {
    await using site = await SuccessionSite.create(scheme, fronts, "--batch-max-age-ms", "100");
    const pinned = parseNetwork(
      await Deno.readTextFile(`${site.folder}/net/network.public.json`),
      bls,
    );
    await Promise.all(["w1", "w2", "w3"].map((id) => site.startWitness(id)));
    await site.startGateway();
    const load = new Submitter(site);
    const running = new Set(["w1", "w2", "w3"]);
    const keys = new Map<string, string>();
    // Bundles as they were issued, each in another epoch.
    const issued: string[] = [];
    for (const [i, change] of changes.entries()) {
      const before = ENOUGH * (i + 1) / changes.length;
      await eventually("growth", async () => await site.size() > before ? true : undefined);
      issued.push(await batchedBundle(site, load.accepted[0]!));
      await site.prepare(change);
      const succession = await site.document(await site.size());
      for (const id of change.witnesses) {
        if (!running.has(id)) await site.startWitness(id);
        running.add(id);
      }
      // With the prepared configuration, whose files and addresses it needs permission for.
      await site.killGateway();
      await site.startGateway();
      await site.install(succession);
      // Each ceremony is interrupted at other moments.
      const moments = [400 + 230 * i, 150 + 190 * i];
      for (const ms of IS_LONG ? moments : [moments[i % 2]!]) {
        await pause(ms);
        await site.killGateway();
        const victim = change.witnesses[i % change.witnesses.length]!;
        await site.killWitness(victim);
        await site.startGateway();
        await site.startWitness(victim);
      }
      await eventually(
        `epoch ${i + 1}`,
        async () => await site.epoch() === i + 1 ? true : undefined,
      );
      await site.settle();
      if (scheme === "ed25519") await checkNotes(site, keys);
      for (const id of running) {
        if (change.witnesses.includes(id)) continue;
        await site.killWitness(id);
        running.delete(id);
      }
    }
    await load.stop();
    const size = await site.size();
    issued.push(await batchedBundle(site, load.accepted.at(-1)!));
    const chain = parseSuccessionChain((await site.get("/v1/succession"))!);
    assert.equal(chain.length, changes.length);
    const followed = await followSuccession(nativeCrypto, pinned, chain);
    assert.equal(followed.failure, undefined);
    assert.ok(load.accepted.length > ENOUGH && size > ENOUGH);
    // Without these, no epoch has its threshold.
    const distrust = ["w2", "w3", "w4", "w5", "w6"].map((name) => ({
      witness: `${pinned.id}/${name}`,
      size: 0,
    }));
    for (const text of issued) {
      // Those who pinned the first configuration need the chain that the bundle has.
      for (const network of [pinned, followed.network]) {
        const verdict = await verifyBundle(
          nativeCrypto,
          { network, peers: [] },
          parseBundle(text),
          {},
        );
        const found = [verdict.valid, verdict.level];
        assert.deepEqual(found, [true, "batched"], JSON.stringify(verdict));
      }
    }
    for (const hash of load.accepted) {
      const text = await site.get(`/v1/bundle/${hash}`);
      assert.ok(text !== undefined, hash);
      const bundle = parseBundle(text);
      const { layers } = await verifyBundle(
        nativeCrypto,
        { network: followed.network, peers: [] },
        bundle,
        { hash },
      );
      assert.equal(layers.attestation.status, "verified", JSON.stringify(layers));
      const network = { ...followed.network, distrust };
      const doubted = await verifyBundle(nativeCrypto, { network, peers: [] }, bundle, { hash });
      assert.notEqual(doubted.layers.attestation.status, "verified");
    }
    const config = ["--config", "net/network.json"];
    const saved = await site.countersign(
      "backup",
      "--data",
      "net/data",
      ...config,
      "--to",
      "saved",
    );
    assert.equal(saved.code, 0, saved.stdout + saved.stderr);
    await site.killGateway();
    const restored = ["restore", "--check", "saved", ...config, "--output=json"];
    const may = await run(restored, { cwd: site.folder });
    assert.deepEqual([may.code, JSON.parse(may.stdout).may], [0, "start"], may.stderr);
    for (const config of ["network.json", "network.public.json"]) {
      const checked = await site.countersign(
        "fsck",
        "--data",
        "net/data",
        "--network-config",
        `net/${config}`,
      );
      assert.equal(checked.code, 0, checked.stdout + checked.stderr);
    }
  });
}

Deno.test("a succession to an address without permission waits for a restart of the gateway", async () => {
  await using site = await SuccessionSite.create("ed25519", 0, "--batch-max-age-ms", "100");
  await Promise.all(["w1", "w2", "w3"].map((id) => site.startWitness(id)));
  await site.startGateway();
  const load = new Submitter(site);
  const size = await site.size();
  await load.stop();
  await site.prepare({ witnesses: ["w2", "w3", "w4"], threshold: 2 });
  // With port 0, a gateway has permission for all ports of its host, so this is another host.
  const file = `${site.folder}/net/successor.json`;
  const text = await Deno.readTextFile(file);
  const { port } = new URL(JSON.parse(text).witnesses[2].url);
  await Deno.writeTextFile(file, text.replace(`127.0.0.1:${port}`, `localhost:${port}`));
  await site.startWitness("w4");
  await site.install(await site.document(size));
  const statusOf = async () => JSON.parse(await site.get("/v1/status") ?? "{}");
  await eventually(
    "a look at the document",
    async () =>
      (await statusOf()).succession?.step === "checking" || await site.epoch() === 1
        ? true
        : undefined,
  );
  // Longer than a look takes.
  await pause(2_500);
  assert.equal(await site.epoch(), 0);
  await site.killGateway();
  assert.match(
    site.log,
    /restart this gateway: it has no permission for localhost:[0-9]+, because/,
  );
  await site.startGateway();
  await eventually("epoch 1", async () => await site.epoch() === 1 ? true : undefined);
  await eventually("all witnesses", async () => {
    const { witnesses } = await statusOf();
    return witnesses?.every(({ healthy }: { healthy: boolean }) => healthy) ? true : undefined;
  });
});

Deno.test("a log for each year: one ends, takes no hash after a restart, and the next continues it", async () => {
  await using site = await SuccessionSite.create(
    "ed25519",
    IS_LONG ? 2 : 0,
    "--batch-max-age-ms",
    "100",
  );
  await Promise.all(["w1", "w2", "w3"].map((id) => site.startWitness(id)));
  await site.startGateway();
  const load = new Submitter(site);
  await eventually("growth", async () => await site.size() > 5 ? true : undefined);
  const nextFolder = `${site.folder}/next`;
  const { network: next } = await createNetwork({
    witnesses: 3,
    threshold: 2,
    basePort: 0,
    id: "next.example/2027",
    kind: "embedded",
    scheme: "ed25519",
    out: nextFolder,
  }, bls);
  const nextLog = { origin: next.id, log_vkey: next.log_vkey!, core: fingerprintOf(next) };
  await site.install(await site.freeze(await site.size(), nextLog));
  const isEnded = async () => {
    const text = await site.get("/v1/status");
    return text !== undefined && JSON.parse(text).succession?.frozen === true ? true : undefined;
  };
  await eventually("the end", isEnded);
  await load.stop();
  const size = await site.size();
  await site.killGateway();
  // A log that has ended is read without its witnesses.
  await Promise.all(["w1", "w2", "w3"].map((id) => site.killWitness(id)));
  site.log = "";
  await site.startGateway();
  await eventually("the end after a restart", isEnded);
  const chain = (await site.get("/v1/succession"))!;
  await Deno.writeTextFile(`${site.folder}/chain.json`, chain);
  const response = await fetch(new URL("/v1/attestations", site.url), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ hash: "0f".repeat(32) }),
  });
  const { code, detail } = await response.json();
  assert.deepEqual([code, /continues in the log next\.example\/2027/.test(detail)], [
    "log_ended",
    true,
  ]);
  assert.equal(await site.size(), size);
  // The last entry is the document, and every accepted hash is before it.
  for (const hash of load.accepted) {
    const text = await site.get(`/v1/bundle/${hash}`);
    assert.ok(JSON.parse(text!).signed_attestation.attestation.sequence < size - 1);
  }
  const pin = ["--network-config", "net/network.public.json"];
  const showNext = ["succession", "next", "chain.json", ...pin];
  const shown = await site.countersign(...showNext, "--output=json");
  assert.equal(shown.code, 0, shown.stderr);
  const { first_entry: first } = JSON.parse(shown.stdout);
  const ports = ["--port", "0", "--event-sockets-port", "0", "--batch-max-age-ms", "100"];
  const { server, match } = await Server.start(
    ["serve", "--config", "next/network.json", "--data", "next/data", ...ports],
    GATEWAY_READY,
    { cwd: site.folder },
  );
  await using _next = server;
  const submitted = await fetch(new URL("/v1/attestations", match[1]!), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ hash: first }),
  });
  await submitted.body?.cancel();
  assert.ok(submitted.ok);
  const newProof = await eventually("the first proof of the next log", async () => {
    const found = await fetch(new URL(`/v1/bundle/${first}`, match[1]!));
    const text = await found.text();
    return found.ok && JSON.parse(text).batch_inclusion !== null ? text : undefined;
  });
  await Deno.writeTextFile(`${site.folder}/first.proof`, newProof);
  const both = ["--next-config", "next/network.public.json", "--first", "first.proof"];
  const continued = await site.countersign(...showNext, ...both);
  assert.deepEqual([
    continued.code,
    /^VALID: next\.example\/2027 continues it/m.test(continued.stdout),
  ], [
    0,
    true,
  ], continued.stdout + continued.stderr);
  // From the pin of the old log alone: its own proofs, and those of the log that it names.
  const pinned = parseNetwork(
    await Deno.readTextFile(`${site.folder}/net/network.public.json`),
    bls,
  );
  const { network: followed } = await followSuccession(
    nativeCrypto,
    pinned,
    parseSuccessionChain(chain),
  );
  assert.equal(endOfLog(followed)?.next?.core, fingerprintOf(next));
  const oldProof = (await site.get(`/v1/bundle/${load.accepted[0]}`))!;
  for (const [network, text] of [[followed, oldProof], [next, newProof]] as const) {
    const verdict = await verifyBundle(nativeCrypto, { network, peers: [] }, parseBundle(text), {});
    assert.deepEqual([verdict.valid, verdict.level], [true, "batched"]);
  }
  await site.killGateway();
  assert.deepEqual(site.log.match(/^countersign: .*$/gm), [
    "countersign: The log has ended: it takes no more hashes. It continues in the log next.example/2027",
  ]);
});
