/**
 * `deno task foreign:witness NAME`: a witness that is not ours, `litewitness` or `sigsum`, cosigns each of
 * `--heads` consecutive checkpoints of a gateway, while both are ended and started again. Programs as
 * `foreign_witnesses.ts` says, from the PATH or `--programs FOLDER`.
 *
 * @module
 */

import assert from "node:assert/strict";
import process from "node:process";
import { join } from "node:path";
import { utf8 } from "../../src/base/bytes.ts";
import { systemClock } from "../../src/base/clock.ts";
import { hasCode } from "../../src/base/errors.ts";
import { parseLogPolicy } from "../../src/proof/format/log_policy.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey } from "../../src/proof/format/note_key.ts";
import { openAnchorDatabase } from "../../src/storage/anchors/anchor_database.ts";
import { KvWitnessedStore } from "../../src/storage/anchors/kv_witnessed_store.ts";
import { CheckpointWitnessClient } from "../../src/http/outgoing/checkpoint_witness_client.ts";
import type { CheckpointWitness } from "../../src/gateway/witnessing/ports.ts";
import type { WitnessingPlan } from "../../src/gateway/witnessing/witnessing.ts";
import { TestNetwork, until } from "../gateway/fixture.ts";
import { anyBeacons } from "../schemes.ts";
import { linesBy, WitnessedGateway } from "../gateway/witnessing/witnessed_gateway.ts";
import { ForeignWitness, sigsumOrigin } from "./foreign_witnesses.ts";

/** The witnesses by name, each with the origin that it needs. */
const WITNESSES = {
  litewitness: { start: ForeignWitness.litewitness, idOf: () => "test.example/log" },
  sigsum: { start: ForeignWitness.sigsum, idOf: sigsumOrigin },
};

export type ForeignName = keyof typeof WITNESSES;

interface Plan {
  readonly heads: number;
  /** Heads between two starts of the gateway. */
  readonly gatewayEvery: number;
  /** Heads between two kills of the witness. */
  readonly witnessEvery: number;
}

interface Outcome {
  readonly witnessKills: number;
  readonly gatewayStarts: number;
  /** Of the witness, by kind; `failed` is another refusal. */
  readonly answers: ReadonlyMap<string, number>;
}

/** Counts the answers of the witness. */
class CountedWitness implements CheckpointWitness {
  readonly answers = new Map<string, number>();
  readonly #client: CheckpointWitness;

  constructor(client: CheckpointWitness) {
    this.#client = client;
  }

  async addCheckpoint(...args: Parameters<CheckpointWitness["addCheckpoint"]>) {
    let kind = "failed";
    try {
      const answer = await this.#client.addCheckpoint(...args);
      kind = answer.kind;
      return answer;
    } catch (error) {
      if (hasCode(error, "witness_unreachable")) kind = "unreachable";
      throw error;
    } finally {
      this.answers.set(kind, (this.answers.get(kind) ?? 0) + 1);
    }
  }
}

/** Has the witness cosign each head of a log. Rejects if a head lacks its cosignature. */
export async function cosignHeads(
  name: ForeignName,
  { heads, gatewayEvery, witnessEvery }: Plan,
): Promise<Outcome> {
  await using opened = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  opened.defer(() => Deno.remove(folder, { recursive: true }));
  const { start, idOf } = WITNESSES[name];
  const home = new TestNetwork("ed25519", 3, 2, systemClock, anyBeacons, idOf);
  const { publicKey } = home.logSigner;
  const log: NoteKey = { name: home.network.id, type: NOTE_TYPE.ed25519, publicKey };
  const witness = opened.use(await start(folder, log));
  const { key, url } = witness;
  const client = new CountedWitness(new CheckpointWitnessClient({ name: key.name, url }));
  const plan: WitnessingPlan = {
    witnesses: [{ name: key.name, keys: [key], intervalSeconds: 0, client }],
    intervalSeconds: 0,
    policy: parseLogPolicy(utf8(`witness foreign ${encodeVkey(key)}\nquorum foreign\n`)),
  };
  let gatewayStarts = 0;
  for (let size = 0; size < heads;) {
    gatewayStarts++;
    await using site = await WitnessedGateway.start(home, plan, folder);
    for (const end = Math.min(heads, size + gatewayEvery); size < end;) {
      size = await site.publish();
      await until(() => linesBy(site.gateway.log.checkpoint()!, key.name).length === 1);
      if (size % witnessEvery === 0) await witness.kill();
    }
  }
  const database = await openAnchorDatabase(join(folder, "anchors.kv"), "test");
  const store = new KvWitnessedStore(database);
  for (let size = 1; size <= heads; size++) {
    assert.equal((await store.at(size))?.meetsQuorum, true, `size ${size}`);
  }
  database.close();
  return { witnessKills: witness.kills, gatewayStarts, answers: client.answers };
}

if (import.meta.main) {
  const value = (option: string) => {
    const at = Deno.args.indexOf(option);
    return at < 0 ? undefined : Deno.args[at + 1];
  };
  const name = Deno.args[0] as ForeignName;
  assert.ok(Object.hasOwn(WITNESSES, name), `name one of ${Object.keys(WITNESSES).join(", ")}`);
  const programs = value("--programs");
  if (programs !== undefined) Deno.env.set("PATH", `${programs}:${Deno.env.get("PATH")}`);
  const heads = Number(value("--heads") ?? 10_000);
  const startedMs = performance.now();
  const { answers, witnessKills, gatewayStarts } = await cosignHeads(name, {
    heads,
    gatewayEvery: 997,
    witnessEvery: 613,
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  const count = (kind: string) => answers.get(kind) ?? 0;
  process.stdout.write(
    `${name} cosigned ${heads} consecutive heads in ${seconds.toFixed(0)} s: ` +
      `${count("cosigned")} cosignatures, ${
        count("size_conflict")
      } answers with 409 and its size, ` +
      `${count("unreachable")} requests without an answer, ${count("failed")} refusals; ` +
      `${gatewayStarts} starts of the gateway, ${witnessKills} kills of the witness.\n`,
  );
}
