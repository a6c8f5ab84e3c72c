/**
 * Writes to a full disk in every way in which the program writes files, and prints what each says. The
 * argument is a folder on a small disk with nothing else on it.
 *
 * @module
 */

import { join } from "node:path";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { createWhole, writeNewFile } from "../../src/server/files.ts";
import { replaceFile } from "../../src/server/replaced_file.ts";
import { SnapshotCopy } from "../../src/cli/fsck/snapshot_copy.ts";
import { systemClock } from "../../src/base/clock.ts";
import { loadBls } from "../../src/proof/crypto/best_bls.ts";
import { openAnchorDatabase } from "../../src/storage/anchors/anchor_database.ts";
import { DiskProbe } from "../../src/storage/disk_probe.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { row } from "../storage/log_records.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import { openOrCreateState } from "../witness_states.ts";

const folder = Deno.args[0]!;
const at = (name: string) => join(folder, name);
const KIB = 1024;

(await openKvLogStore(at("old.kv"), "network")).close();
const store = await openKvLogStore(at("store.kv"), "network");
await store.takeFence();
const untaken = await openKvLogStore(at("untaken.kv"), "network");
const anchors = await openAnchorDatabase(at("anchors.kv"), "network");
const state = await openOrCreateState(at("state.kv"));
await state.loadSigned();
const { links } = threeEpochs();
await fill(at("fill"));

const writes: Readonly<Record<string, () => Promise<unknown>>> = {
  "digests of the log": () => store.rounds.commit([row(0, 28), row(28, 28)], []),
  "the fence": () => untaken.takeFence(),
  "anchors and events": () =>
    anchors.commit("a test", { set: [[["al", 0], new Uint8Array(8 * KIB)]] }),
  "a head of a witness": () =>
    state.replace("origin", undefined, { size: 1, root: new Uint8Array(32), timestamp: 1 }),
  "signed digests of a witness": () =>
    state.appendSigned(
      [{ first: 0, digests: new Uint8Array(512 * KIB), timestamp: 1, beacon: null }],
      0,
    ),
  "a release of a witness": () => state.release({ from: 0, at: 1 } as never),
  "the probe of /ready": () => new DiskProbe(folder, systemClock).check(),
  "a store that was closed before": () => openKvLogStore(at("old.kv"), "network"),
  "a new store": () => openKvLogStore(at("new.kv"), "network"),
  "a new file of anchors": () => openAnchorDatabase(at("new_anchors.kv"), "network"),
  "a new witness state": () => openOrCreateState(at("new_state.kv")),
  "a new file": () => writeNewFile(at("file"), "text", 0o600),
  "a key or a step of a succession": () => createWhole(at("file"), "text", 0o600),
  "a succession in the store": () => store.successions.commitDocument(1, links[0]),
  "the end of an epoch in the store": () => store.successions.commitLink(1, links[0]),
  "a replaced file": () => replaceFile(at("file"), "text", 0o600),
  "a new network": async () => {
    const plan = { witnesses: 3, threshold: 2, kind: "embedded", basePort: 0 } as const;
    const scheme = { scheme: "ed25519", out: at("network") } as const;
    await createNetwork({ ...plan, ...scheme }, await loadBls());
  },
  "a copy to check": async () => {
    await using copy = await SnapshotCopy.create();
    await copy.add(at("store.kv"));
  },
};

for (const [name, write] of Object.entries(writes)) {
  const said = await write().then(() => "nothing", ({ code, message }) => `${code}: ${message}`);
  const left = [...Deno.readDirSync(folder)].filter(({ name }) => /^\.?file|network/.test(name));
  if (left.length > 0) throw new Error(`"${left[0]!.name}" is left behind`);
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify([name, said])}\n`));
}
Deno.exit();

/** Writes a file until the disk has no room. */
async function fill(path: string): Promise<void> {
  using file = await Deno.open(path, { create: true, write: true });
  try {
    for (;;) await file.write(new Uint8Array(KIB));
  } catch {
    await file.sync();
  }
}
