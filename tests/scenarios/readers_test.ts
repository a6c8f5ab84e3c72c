/**
 * Whoever reads a log reads on through every kind of succession: each reader, started before and after
 * it, with the configuration of the first epoch, that of the present one, a pin, and a pin that followed.
 * Prints a table of readers and successions: with how many kinds of trust it reads.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { loadPinned } from "../../src/config/federation_peers.ts";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { copySource } from "../../src/cli/mirror/copy_run.ts";
import { CopyClient } from "../../src/explorer/copy/copy_client.ts";
import { LogCopy } from "../../src/logs/publishing/log_copy.ts";
import { keepPublishing } from "../../src/logs/publishing/publisher.ts";
import { serveMonitor } from "../../src/server/monitor/monitor_server.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { DirectoryCopy } from "../../src/storage/published/directory_copy.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { IS_LONG } from "../long_runs.ts";
import { Client, contextOf } from "../cli/client_run.ts";
import { until } from "../gateway/fixture.ts";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { bls, nativeCrypto } from "../schemes.ts";
import { CapturedIo, inFolder } from "../server/captured_io.ts";
import { servingFiles } from "../logs/publishing/file_server.ts";
import { freePorts } from "../free_ports.ts";
import { batch, jsonOf } from "../server/served_network.ts";
import { EpochsSite, type NextEpoch } from "./epochs_site.ts";
import { PeerReader } from "./peer_readers.ts";

const CHANGED_LOG: NextEpoch = { witnesses: ["5", "6", "7"], threshold: 3, rotatesLogKey: true };

const SUCCESSIONS: readonly (readonly [name: string, next: NextEpoch | null])[] = [
  ["one witness", { witnesses: ["2", "3", "4"], threshold: 2 }],
  ...IS_LONG
    ? [
      ["all witnesses", { witnesses: ["5", "6", "7"], threshold: 2 }],
      ["threshold", { witnesses: ["5", "6", "7"], threshold: 3 }],
      ["log key", CHANGED_LOG],
    ] as const
    : [["all witnesses, threshold, log key", CHANGED_LOG]] as const,
  ["freeze", null],
];
const TRUSTS = ["first file", "present file", "pin", "followed pin"] as const;
type Trust = typeof TRUSTS[number];

const FILES: readonly Trust[] = ["first file", "present file"];
const PINS: readonly Trust[] = ["pin", "followed pin"];

/** One run; rejects if it does not read. */
type Read = (world: World, trust: Trust) => Promise<void>;

/** A reader, and the kinds of trust that it takes. */
type Reader = Read | readonly [read: Read, trusts: readonly Trust[]];

interface World {
  readonly folder: string;
  readonly url: string;
  /** The latest hash that the log took before it ended. */
  readonly hash: string;
  readonly epoch: number;
  readonly isEnded: boolean;
  readonly followed: Client;
  /** Differs in every run. */
  readonly run: number;
}

const FIRST = "first.json";
const PRESENT = "network.public.json";
const OWN_COPY = "own";

/** Runs the program as a user with `trust`. Returns what it printed. */
async function program(world: World, trust: Trust, ...args: string[]): Promise<string> {
  const user = await userOf(world, trust);
  const file = { "first file": FIRST, "present file": PRESENT, pin: "", "followed pin": "" }[trust];
  const options = file === "" ? [] : ["--network-config", join(world.folder, file)];
  const { code, stdout, stderr } = await user.run([...args, ...options]);
  assert.equal(code, 0, `${args.join(" ")}\n${stdout}\n${stderr}`);
  return stdout;
}

async function userOf(world: World, trust: Trust): Promise<Client> {
  const { followed, folder, run, url } = world;
  if (trust === "followed pin") return followed;
  const user = new Client(join(folder, `user-${run}`));
  await Deno.mkdir(user.folder, { recursive: true });
  user.gateway = url;
  if (trust === "pin") {
    await user.trust.savePin(parseNetwork(await Deno.readTextFile(join(folder, FIRST)), bls));
  }
  return user;
}

function fileOf({ folder }: World, trust: Trust): string {
  return join(folder, trust === "first file" ? FIRST : PRESENT);
}

/** Readers that start in each epoch. */
const STARTED: Readonly<Record<string, Reader>> = {
  "fsck --gateway": async (world, trust) => {
    const { url } = world;
    assert.match(await program(world, trust, "fsck", "--gateway", url), /^CLEAN/);
  },
  "fsck --mirror": async (world, trust) => {
    assert.match(
      await program(world, trust, "fsck", "--mirror", join(world.folder, OWN_COPY)),
      /^CLEAN/,
    );
  },
  "fsck --mirror URL": async (world, trust) => {
    await servingFiles(join(world.folder, OWN_COPY), async (url) => {
      assert.match(await program(world, trust, "fsck", "--mirror", url), /^CLEAN/);
    });
  },
  "verify-proof of epoch 0": async (world, trust) => {
    await program(world, trust, "verify-proof", "--bundle", join(world.folder, "old.json"));
  },
  "verify-proof of now": async (world, trust) => {
    const proof = join(world.folder, `proof-${world.run}.json`);
    await Deno.writeTextFile(
      proof,
      JSON.stringify(await jsonOf(world.url, `/v1/bundle/${world.hash}`)),
    );
    await program(world, trust, "verify-proof", "--bundle", proof);
  },
  "verify-proof --hash": async (world, trust) => {
    await program(world, trust, "verify-proof", "--hash", world.hash);
  },
  "verify-proof --mirror": async (world, trust) => {
    const copy = ["--mirror", join(world.folder, OWN_COPY)];
    const proof = ["--bundle", join(world.folder, "old.json")];
    await program(world, trust, "verify-proof", ...proof, ...copy);
  },
  verify: async (world, trust) => {
    await program(world, trust, "verify", join(world.folder, "stamped.txt"));
  },
  "bundle --as tlog-proof": async (world, trust) => {
    await program(world, trust, "bundle", world.hash, "--as", "tlog-proof");
  },
  upgrade: async (world, trust) => {
    const proof = join(world.folder, `saved-${world.run}.json`);
    await Deno.copyFile(join(world.folder, "old.json"), proof);
    const links = world.epoch + (world.isEnded ? 1 : 0);
    const first = await program(world, trust, "upgrade", proof);
    assert.match(first, /the succession to epoch 1/);
    assert.equal(JSON.parse(await Deno.readTextFile(proof)).succession.length, links);
    assert.match(await program(world, trust, "upgrade", proof), /nothing new/);
    await program(world, trust, "verify-proof", "--bundle", proof);
  },
  "log sth --verify": async (world, trust) => {
    assert.match(await program(world, trust, "log", "sth", "--verify"), /^VALID/);
  },
  "log consistency --mirror": async (world, trust) => {
    const { tree_head: { tree_size: size } } = await jsonOf(world.url, "/v1/log/sth");
    const copy = ["--mirror", join(world.folder, OWN_COPY), "--verify"];
    await program(world, trust, "log", "consistency", `${size}`, `${size}`, ...copy);
  },
  "stamp --save": [async (world, trust) => {
    if (world.isEnded) return;
    const file = join(world.folder, `stamped-${world.run}`);
    await Deno.writeTextFile(file, `content ${world.run}`);
    await program(world, trust, "stamp", "--save", file);
  }, PINS],
  "mirror (new copy)": async (world, trust) => {
    await program(world, trust, "mirror", "--from", world.url, "--to", copyOf(world));
  },
  "mirror (old copy)": async (world, trust) => {
    const to = join(world.folder, `mirror-${trust.replace(" ", "-")}`);
    await program(world, trust, "mirror", "--from", world.url, "--to", to, "--page");
  },
  "mirror of a copy": async (world, trust) => {
    await servingFiles(join(world.folder, OWN_COPY), async (url) => {
      await program(world, trust, "mirror", "--from", url, "--to", copyOf(world));
    });
  },
  "publish --once": async (world, trust) => {
    await program(world, trust, "publish", "--once", "--from", world.url, "--to", copyOf(world));
  },
  monitor: [async (world, trust) => {
    await monitorOnce(world, fileOf(world, trust), `monitor-${world.run}`);
  }, FILES],
  "monitor (old state)": [async (world, trust) => {
    await monitorOnce(world, fileOf(world, trust), `monitor-${trust.replace(" ", "-")}`);
  }, FILES],
  "page of a copy": [async (world, trust) => {
    const network = parseNetwork(await Deno.readTextFile(fileOf(world, trust)), bls);
    await servingFiles(join(world.folder, OWN_COPY), async (url) => {
      const client = new CopyClient({
        url: new URL(url),
        clock: systemClock,
        crypto: { crypto: () => Promise.resolve(nativeCrypto), blsFor: () => Promise.resolve(bls) },
        trust: () => Promise.resolve(network),
        remembered: () => undefined,
      });
      const { value: { tree_head: { tree_size } } } = await client.sth();
      assert.equal(tree_size, (await jsonOf(world.url, "/v1/log/sth")).tree_head.tree_size);
    });
  }, FILES],
  "a library": [async (world, trust) => {
    const network = parseNetwork(await Deno.readTextFile(fileOf(world, trust)), bls);
    const bundle = parseBundle(await Deno.readTextFile(join(world.folder, "old.json")));
    const { valid, level } = await verifyBundle(nativeCrypto, { network, peers: [] }, bundle);
    assert.deepEqual([valid, level], [true, "batched"]);
  }, FILES],
  "pin of a peer": [async (world, trust) => {
    const { id } = parseNetwork(await Deno.readTextFile(fileOf(world, trust)), bls);
    const { links = [] } = await loadPinned(id, fileOf(world, trust), undefined, bls);
    assert.equal(links.length, world.epoch + (world.isEnded ? 1 : 0));
  }, ["present file"]],
};

function copyOf({ folder, run }: World): string {
  return join(folder, `copy-${run}`);
}

async function monitorOnce({ folder, url }: World, file: string, state: string): Promise<void> {
  const config = join(folder, "monitor.json");
  const { id } = JSON.parse(await Deno.readTextFile(file));
  const log = {
    origin: id,
    network_config: file,
    max_age_seconds: 86_400,
    views: [{ name: "gateway", url }, { name: "copy", folder: join(folder, OWN_COPY) }],
  };
  const node = { state_folder: join(folder, state), grace_seconds: 0, logs: [log] };
  await Deno.writeTextFile(config, JSON.stringify(node));
  const io = new CapturedIo({ folder });
  const options = { config, once: true, json: true };
  const code = await serveMonitor(options, io, new AbortController().signal);
  assert.equal(code, 0, io.outLines.join("\n"));
}

/** Copies the log at `url` until `signal` aborts, as `publish --from` and `mirror --follow` do. */
async function keepCopying(
  { folder, url, trust }: { readonly folder: string; readonly url: string; readonly trust: Client },
  networkConfig: string | undefined,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const home = join(trust.folder, "home");
  const io = new CapturedIo({ folder, env: { COUNTERSIGN_HOME: home } });
  const { source, rule } = await copySource(contextOf(io), url, { networkConfig });
  const target = await DirectoryCopy.open(join(folder, to), systemClock);
  const copy = new LogCopy({ kernels, clock: systemClock, rule, source, target, lanes: 4 });
  await keepPublishing({
    copy,
    clock: systemClock,
    report: () => {},
    random: Math.random,
    changed: (stop) => systemClock.sleep(100, stop),
  }, signal);
}

async function sizeOfCopy(folder: string): Promise<number> {
  const text = await Deno.readTextFile(join(folder, "checkpoint")).catch(() => "\n0\n");
  return Number(text.split("\n")[1]);
}

/** True within 10 s, or false. */
async function comes(condition: () => Promise<boolean>): Promise<boolean> {
  return await until(condition, 10_000).then(() => true, () => false);
}

function hashOf(text: string): string {
  return kernels.sha256(new TextEncoder().encode(text)).toHex();
}

Deno.test("every reader reads on through every kind of succession", async () => {
  await inFolder(async (folder) => {
    const site = await EpochsSite.create(folder, join(folder, OWN_COPY));
    await Deno.copyFile(site.network.publicFile, join(folder, FIRST));
    await Deno.copyFile(site.network.publicFile, join(folder, PRESENT));
    const next = join(folder, "next");
    const nextLog = { witnesses: 3, threshold: 2, basePort: 0, id: "next.example", out: next };
    await createNetwork({ ...nextLog, kind: "embedded", scheme: "ed25519" }, bls);
    const port = freePorts(1);
    const peers = await PeerReader.federate(folder, site.network, `http://127.0.0.1:${port}`, {
      "first file": join(folder, FIRST),
      "present file": join(folder, PRESENT),
    });
    await site.network.serve(async ({ url }) => {
      const followed = new Client(join(folder, "followed"));
      await Deno.mkdir(followed.folder);
      followed.gateway = url;
      const pinned = parseNetwork(await Deno.readTextFile(join(folder, FIRST)), bls);
      await followed.trust.savePin(pinned);
      await Deno.writeTextFile(join(folder, "stamped.txt"), "stamped in epoch 0");
      const stamp = await followed.run(["stamp", "--save", join(folder, "stamped.txt")]);
      assert.equal(stamp.code, 0, stamp.stderr);
      await Deno.copyFile(join(folder, "stamped.txt.countersign.json"), join(folder, "old.json"));

      const stop = new AbortController();
      const follow = (config: string | undefined, to: string) =>
        keepCopying({ folder, url, trust: followed }, config, to, stop.signal);
      const running = [
        follow(join(folder, FIRST), "followed-first"),
        follow(undefined, "followed-pin"),
      ];
      const world = { folder, url, followed };
      const table = new Map<string, string[]>();
      const failures: string[] = [];
      let hash = hashOf("none");
      let run = 0;
      try {
        for (const peer of peers) await peer.start();
        for (const [i, [name, change]] of SUCCESSIONS.entries()) {
          // A restart, after which the peer may fetch at once: it fetches once in a minute.
          for (const peer of i === 0 ? [] : peers) {
            await peer.stop();
            await peer.start();
          }
          await site.succeed(url, change, join(next, PRESENT));
          if (change !== null) {
            hash = hashOf(`after ${name}`);
            await batch(url, hash);
          }
          const present = await fetch(`${url}/v1/network`);
          await Deno.writeTextFile(join(folder, PRESENT), await present.text());
          const { tree_head: { tree_size: size } } = await jsonOf(url, "/v1/log/sth");
          for (
            const [reader, copy] of [
              ["the gateway's own publish", OWN_COPY],
              ["publish --from, mirror --follow: file", "followed-first"],
              ["publish --from, mirror --follow: pin", "followed-pin"],
            ] as const
          ) {
            const reads = await comes(async () => await sizeOfCopy(join(folder, copy)) >= size);
            note(table, reader, reads ? "1 of 1" : "stopped");
            if (!reads) failures.push(`${reader}, ${name}: stopped`);
          }
          for (const when of ["running", "started anew"]) {
            const failed: string[] = [];
            for (const peer of peers) {
              if (when === "started anew") {
                await peer.stop();
                await peer.start("anew");
              }
              const own = hashOf(`${peer.name} ${when} ${name}`);
              await peer.read(url, own, change === null).catch((error) => {
                failed.push(peer.name);
                failures.push(`peer (${when}), ${name}, ${peer.name}: ${error.message ?? error}`);
              });
            }
            note(table, `peer (${when})`, countOf(peers.length, failed));
          }
          for (const [reader, how] of Object.entries(STARTED)) {
            const [read, trusts] = typeof how === "function" ? [how, TRUSTS] : how;
            const failed: string[] = [];
            for (const trust of trusts) {
              const epoch = Math.min(i + 1, SUCCESSIONS.length - 1);
              const here = { ...world, hash, epoch, isEnded: change === null, run: run++ };
              await read(here, trust).catch((error) => {
                failed.push(trust);
                failures.push(`${reader}, ${name}, ${trust}: ${error.message ?? error}`);
              });
            }
            note(table, reader, countOf(trusts.length, failed));
          }
        }
      } finally {
        stop.abort();
        await Promise.all([...running, ...peers.map((peer) => peer.stop())]);
      }
      // deno-lint-ignore no-console
      console.log(tableOf(table));
      assert.deepEqual(failures, []);
    }, { port });
    for (const file of [FIRST, PRESENT, join("epochs.example", "log", "network.json")]) {
      const client = new Client(folder);
      const data = join(site.network.folder, "data");
      const { code, stdout } = await client.run(["fsck", "--data", data, "--network-config", file]);
      assert.equal(code, 0, stdout);
    }
  });
});

function countOf(all: number, failed: readonly string[]): string {
  const count = `${all - failed.length} of ${all}`;
  return failed.length === 0 ? count : `${count}: not ${failed.join(", ")}`;
}

function note(table: Map<string, string[]>, reader: string, cell: string): void {
  table.set(reader, [...table.get(reader) ?? [], cell]);
}

function tableOf(table: ReadonlyMap<string, readonly string[]>): string {
  const rows = [["", ...SUCCESSIONS.map(([name]) => name)]];
  for (const [reader, cells] of table) rows.push([reader, ...cells]);
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length)));
  return rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i]!)).join("  ")).join("\n");
}
