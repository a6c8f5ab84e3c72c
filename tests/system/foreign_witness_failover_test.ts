/**
 * litewitness, which is not ours, goes on cosigning a log whose active gateway changes and whose key is
 * replaced. `foreign_witnesses.ts` says what this needs.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { parseNote } from "../../src/proof/format/note.ts";
import { encodeVkey, type NoteKey, parseVkey } from "../../src/proof/format/note_key.ts";
import { verifyNote } from "../../src/proof/verify/note.ts";
import { eventually } from "../scenarios/deployment.ts";
import { SuccessionSite } from "../scenarios/succession_site.ts";
import { nativeCrypto } from "../schemes.ts";
import { FailoverSite } from "./failover_site.ts";
import { addLogKey, ForeignWitness } from "./foreign_witnesses.ts";
import { WitnessRelay } from "./witness_relay.ts";

/**
 * Resolves when the checkpoint of the gateway that `urlOf` names at the time covers `size` and each of
 * `keys` has cosigned it; its size.
 */
function cosigned(
  urlOf: () => string | Promise<string>,
  keys: readonly NoteKey[],
  size: number,
): Promise<number> {
  return eventually(`a checkpoint from size ${size} on is cosigned`, async () => {
    try {
      const url = new URL("/checkpoint", await urlOf());
      const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
      const note = parseNote(await response.text());
      const found = Number(note.text.split("\n")[1]);
      const { lines, reason } = await verifyNote(nativeCrypto, keys, note);
      const isWhole = reason === undefined && lines.length === keys.length;
      return found >= size && isWhole ? found : undefined;
    } catch {
      return undefined;
    }
  });
}

Deno.test("only the active gateway asks a witness, through a hand-over and a kill", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const asked: { readonly gateway: number; readonly status: number }[] = [];
  let starting: Promise<ForeignWitness> | undefined;
  await using site = await FailoverSite.start("ed25519", {
    fronts: 1,
    witnesses: 1,
    members: async ({ log_vkey }, gateway) => {
      starting ??= ForeignWitness.litewitness(folder, parseVkey(log_vkey));
      const witness = await starting;
      const answered = (status: number) => asked.push({ gateway, status });
      const { url } = stack.use(new WitnessRelay(witness.url, answered));
      const vkey = encodeVkey(witness.key);
      const policy = [`witness lite ${vkey}`, "quorum lite"];
      return { witnessing: { interval_seconds: 0, policy, witnesses: [{ vkey, url }] } };
    },
  });
  const witness = stack.use(await starting!);
  const activeUrl = async () => {
    const { hostname, port } = site.address(await site.active());
    return `http://${hostname}:${port}`;
  };
  let size = 0;
  const goesOn = async () => {
    for (let i = 0; i < 2; i++) {
      await site.accept(1);
      size = await cosigned(activeUrl, [witness.key], size + 1);
    }
  };
  await goesOn();
  await site.handOver();
  await goesOn();
  const second = await site.active();
  await site.killGateway(second);
  await goesOn();
  await site.startGateway(second);

  const status = await (await fetch(`${await activeUrl()}/v1/status`)).json();
  assert.equal(status.foreign_witnesses[0].name, witness.key.name);
  assert.ok(status.foreign_witnesses[0].last_cosigned.tree_size > 0);
  assert.ok(status.foreign_quorum.tree_size > 0);
  assert.doesNotMatch(JSON.stringify(status), /127\.0\.0\.1/);
  assert.deepEqual(await site.check(), []);

  const turns = asked.filter(({ gateway }, i) => gateway !== asked[i - 1]?.gateway).length;
  const count = (status: number) => asked.filter((answer) => answer.status === status).length;
  const { activations } = site;
  assert.deepEqual(asked.filter(({ status }) => status !== 200 && status !== 409), []);
  // A gateway that becomes active learns the size of the witness by one 409.
  assert.ok(turns >= 3 && turns <= activations, `${turns} turns of ${activations} activations`);
  assert.ok(count(409) <= 2 * activations, `${count(409)} of ${asked.length} answers are 409`);
});

Deno.test("after a rotation of the log key, witnesses that know the next key cosign, and others once they get it", async () => {
  await using stack = new AsyncDisposableStack();
  await using site = await SuccessionSite.create("ed25519", 0, "--batch-max-age-ms", "100");
  const operator = await site.operator();
  const start = async (name: string) => {
    const folder = join(site.folder, name);
    await Deno.mkdir(folder);
    const key = parseVkey(operator.log_vkey);
    const witness = stack.use(await ForeignWitness.litewitness(folder, key, `${name}.example`));
    const statuses: number[] = [];
    const { url } = stack.use(new WitnessRelay(witness.url, (status) => statuses.push(status)));
    return { folder, witness, statuses, entry: { vkey: encodeVkey(witness.key), url } };
  };
  const [early, late] = [await start("early"), await start("late")];
  await site.configure({
    witnessing: { interval_seconds: 0, witnesses: [early.entry, late.entry] },
  });
  await site.prepare({ witnesses: ["w1", "w2", "w3"], threshold: 2, rotatesLogKey: true });
  const nextKey = parseVkey((await site.operator("successor.json")).log_vkey);
  await Promise.all(["w1", "w2", "w3"].map((id) => site.startWitness(id)));
  await site.startGateway();
  const submit = () =>
    eventually("a hash is taken", async () => {
      const response = await fetch(new URL("/v1/attestations", site.url), {
        method: "POST",
        headers: { "Content-Type": "application/json", "Prefer": "respond-async" },
        body: JSON.stringify({ hash: crypto.getRandomValues(new Uint8Array(32)).toHex() }),
      });
      await response.body?.cancel();
      return response.ok || undefined;
    });
  const both = [early.witness.key, late.witness.key];
  await submit();
  let size = await cosigned(() => site.url, both, 1);
  await addLogKey(early.folder, nextKey);
  await site.install(await site.document(size));
  await eventually("epoch 1", async () => await site.epoch() === 1 ? true : undefined);
  for (let i = 0; i < 3; i++) {
    await submit();
    size = await cosigned(() => site.url, [early.witness.key], size + 1);
  }
  const statusOf = async (i: number) =>
    JSON.parse(await site.get("/v1/status") ?? "{}").foreign_witnesses[i];
  await eventually(
    "a refusal",
    async () => (await statusOf(1)).last_error === "witness_refused" ? true : undefined,
  );
  await addLogKey(late.folder, nextKey);
  await cosigned(() => site.url, both, size);
  await eventually(
    "no error",
    async () => (await statusOf(1)).last_error === undefined ? true : undefined,
  );
  const changes = (statuses: readonly number[]) =>
    statuses.filter((status, i) => status !== statuses[i - 1]);
  assert.deepEqual(changes(early.statuses), [200]);
  // After a refusal the gateway asks for its size again.
  assert.deepEqual(changes(late.statuses), [200, 403, 409, 200]);
  await site.killGateway();
  assert.match(site.log, /it does not trust the key of our log/);
});
