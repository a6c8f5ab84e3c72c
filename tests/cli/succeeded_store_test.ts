/** Backups and audits of a store after successions, with the configurations of each epoch. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { batch } from "../server/served_network.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { EpochsSite } from "../scenarios/epochs_site.ts";
import { bls } from "../schemes.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";

const hashOf = (i: number) => i.toString(16).padStart(64, "0");

async function backUp(client: Client, site: EpochsSite, to: string): Promise<void> {
  const config = join(site.network.folder, "network.json");
  const { code, stdout } = await client.runJson(["backup", "--config", config, "--to", to]);
  assert.equal(code, 0, stdout);
}

/** `fsck` of `place` with the configuration of epoch 0 follows the links that it finds there. */
async function checkFsck(client: Client, site: EpochsSite, place: readonly [string, string]) {
  const given = ["--network-config", site.network.publicFile];
  const { code, stdout, stderr } = await client.run(["fsck", ...place, ...given]);
  assert.equal(code, 0, stdout + stderr);
  const [, checked] = /^checked: (.*)$/m.exec(stdout)!;
  assert.equal(checked!.replace(/\/$/, ""), place[1]);
  assert.match(stdout, /^configuration: .*; epoch 1, followed from the pin of epoch 0$/m);
}

Deno.test("restore --check wants the configuration of the backup's last epoch", () =>
  withClient(async (client) => {
    const site = await EpochsSite.create(client.folder, join(client.folder, "copy"));
    const { folder } = site.network;
    const present = join(folder, "network.json");
    const first = join(folder, "first.json");
    const next = { witnesses: 3, threshold: 2, basePort: 0, id: "next.example" } as const;
    const out = join(client.folder, "next");
    await createNetwork({ ...next, out, kind: "embedded", scheme: "ed25519" }, bls);
    await Deno.copyFile(present, first);
    await site.network.serve(async ({ url }) => {
      await batch(url, hashOf(1));
      await backUp(client, site, "before");
      await site.succeed(url, { witnesses: ["2", "3", "4"], threshold: 2 });
      await batch(url, hashOf(2));
      await checkFsck(client, site, ["--gateway", url]);
      const given = ["--network-config", site.network.publicFile];
      const mirrored = await client.run(["mirror", "--from", url, "--to", "mirrored", ...given]);
      assert.equal(mirrored.code, 0, mirrored.stderr);
    });
    await backUp(client, site, "after");
    const check = (backup: string, config: string) =>
      client.runJson(["restore", "--check", backup, "--config", config]);

    await checkFsck(client, site, ["--data", join(folder, "data")]);
    await checkFsck(client, site, ["--mirror", join(client.folder, "mirrored")]);
    const may = await check("after", present);
    assert.deepEqual([may.code, may.json.may], [0, "start"], may.stdout);
    const old = await check("after", first);
    assertFailed(old, "network_changed");
    assert.match(
      old.json.error.message,
      /is of epoch 1, and .* is of epoch 0: name the present network\.json .*successor\.json/,
    );
    const older = await check("before", present);
    assertFailed(older, "network_changed");
    assert.match(
      older.json.error.message,
      /is of epoch 0, and .* epoch 1\. .* must never be start/,
    );
    // The witnesses of epoch 0 have signed its end.
    const never = await check("before", first);
    assert.deepEqual([never.code, never.json.may], [4, "never"], never.stdout);
    const { threshold: _, ...rest } = JSON.parse(await Deno.readTextFile(present));
    const other = join(folder, "other.json");
    await Deno.writeTextFile(other, JSON.stringify({ ...rest, threshold: 3 }), { mode: 0o600 });
    const changed = await check("after", other);
    assertFailed(changed, "network_changed");
    assert.match(changed.json.error.message, /epoch 1 with other keys or another threshold/);

    await site.network.serve(({ url }) =>
      site.succeed(url, null, join(out, "network.public.json"))
    );
    await backUp(client, site, "ended");
    // The witnesses of a log that has ended may be stopped for ever.
    for (const { state_file: state } of rest.witnesses) await Deno.remove(join(folder, state));
    const silent = await check("after", present);
    assert.deepEqual([silent.code, silent.json.may], [3, "unknown"], silent.stdout);
    const ended = await check("ended", present);
    assert.deepEqual([ended.code, ended.json.may], [0, "start"], ended.stdout);
    assert.match(ended.json.statement, /: the log has ended, and the copy has all its \d+ leaves$/);
  }));
