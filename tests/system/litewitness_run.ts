/**
 * `deno task litewitness --programs FOLDER`: litewitness (Debian's package `torchwood`), which is not ours,
 * cosigns each of `--heads` consecutive checkpoints of a gateway, while both are ended and started again.
 * Needs `ssh-agent`, `ssh-add` and `ssh-keygen`.
 *
 * @module
 */

import assert from "node:assert/strict";
import process from "node:process";
import { join } from "node:path";
import { textOf, utf8 } from "../../src/bytes.ts";
import { hasCode } from "../../src/errors.ts";
import { parseLogPolicy } from "../../src/format/log_policy.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey } from "../../src/format/note_key.ts";
import { openAnchorDatabase } from "../../src/storage/anchors/anchor_database.ts";
import { KvWitnessedStore } from "../../src/storage/anchors/kv_witnessed_store.ts";
import { CheckpointWitnessClient } from "../../src/transport/checkpoint_witness_client.ts";
import type { CheckpointWitness } from "../../src/witnessing/ports.ts";
import type { WitnessingPlan } from "../../src/witnessing/witnessing.ts";
import { TestNetwork, until } from "../gateway/fixture.ts";
import { freePorts } from "../free_ports.ts";
import { linesBy, WitnessedGateway } from "../witnessing/witnessed_gateway.ts";

const NAME = "witness.example/lite";

interface Options {
  readonly programs: string;
  readonly heads: number;
  /** Heads between two starts of the gateway. */
  readonly gatewayEvery: number;
  /** Heads between two kills of the witness. */
  readonly witnessEvery: number;
}

function optionsOf(args: readonly string[]): Options {
  const value = (name: string) => args[args.indexOf(name) + 1];
  const has = (name: string) => args.includes(name);
  const programs = has("--programs") ? value("--programs") : undefined;
  assert.ok(programs !== undefined, "--programs names the folder of litewitness and witnessctl");
  const heads = has("--heads") ? Number(value("--heads")) : 10_000;
  return { programs, heads, gatewayEvery: 997, witnessEvery: 613 };
}

async function run(program: string, args: readonly string[], env = {}): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args], env })
    .output();
  assert.ok(success, `${program}: ${textOf(stderr)}`);
  return textOf(stdout);
}

/** The witness, with a key in an agent. */
class Litewitness implements AsyncDisposable {
  readonly key: NoteKey;
  readonly url: string;
  kills = 0;
  readonly #agent: Deno.ChildProcess;
  readonly #command: () => Deno.Command;
  #child: Deno.ChildProcess;

  private constructor(
    key: NoteKey,
    url: string,
    agent: Deno.ChildProcess,
    command: () => Deno.Command,
  ) {
    this.key = key;
    this.url = url;
    this.#agent = agent;
    this.#command = command;
    this.#child = command().spawn();
  }

  static async start(folder: string, programs: string, home: TestNetwork): Promise<Litewitness> {
    const file = (name: string) => join(folder, name);
    const quiet = { stdout: "null", stderr: "null" } as const;
    const agent = new Deno.Command("ssh-agent", { args: ["-D", "-a", file("agent")], ...quiet })
      .spawn();
    await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file("key")]);
    await until(() => Deno.stat(file("agent")).then(() => true, () => false));
    await run("ssh-add", [file("key")], { SSH_AUTH_SOCK: file("agent") });
    const [, fingerprint = ""] = (await run("ssh-keygen", ["-lf", file("key.pub")])).split(" ");
    const [, blob = ""] = (await Deno.readTextFile(file("key.pub"))).split(" ");
    // The last field of the key's blob (RFC 8709 section 4).
    const publicKey = Uint8Array.fromBase64(blob).slice(-32);
    const { id, log_vkey } = home.network;
    const control = join(programs, "witnessctl");
    await run(control, ["add-log", "-db", file("db"), "-origin", id]);
    await run(control, ["add-key", "-db", file("db"), "-origin", id, "-key", log_vkey!]);
    const port = freePorts(1);
    const args = ["-name", NAME, "-key", fingerprint, "-ssh-agent", file("agent")];
    const command = () =>
      new Deno.Command(join(programs, "litewitness"), {
        args: [...args, "-db", file("db"), "-listen", `127.0.0.1:${port}`],
        ...quiet,
      });
    const key = { name: NAME, type: NOTE_TYPE.cosignature, publicKey };
    return new Litewitness(key, `http://127.0.0.1:${port}/`, agent, command);
  }

  async kill(): Promise<void> {
    this.kills++;
    this.#child.kill("SIGKILL");
    await this.#child.status;
    this.#child = this.#command().spawn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of [this.#child, this.#agent]) {
      child.kill("SIGKILL");
      await child.status;
    }
  }
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

async function cosignHeads(folder: string, options: Options): Promise<void> {
  const { programs, heads, gatewayEvery, witnessEvery } = options;
  const home = new TestNetwork();
  await using witness = await Litewitness.start(folder, programs, home);
  const { key, url } = witness;
  const client = new CountedWitness(new CheckpointWitnessClient({ name: NAME, url }));
  const plan: WitnessingPlan = {
    witnesses: [{ name: NAME, keys: [key], intervalSeconds: 0, client }],
    intervalSeconds: 0,
    policy: parseLogPolicy(utf8(`witness lite ${encodeVkey(key)}\nquorum lite\n`)),
  };
  const startedMs = performance.now();
  let starts = 0;
  for (let size = 0; size < heads;) {
    starts++;
    await using site = await WitnessedGateway.start(home, plan, folder);
    for (const end = Math.min(heads, size + gatewayEvery); size < end;) {
      size = await site.publish();
      await until(() => linesBy(site.gateway.log.checkpoint()!, NAME).length === 1);
      if (size % witnessEvery === 0) await witness.kill();
    }
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const database = await openAnchorDatabase(join(folder, "anchors.kv"), "test");
  const store = new KvWitnessedStore(database);
  for (let size = 1; size <= heads; size++) {
    assert.equal((await store.at(size))?.meetsQuorum, true, `size ${size}`);
  }
  database.close();
  const count = (kind: string) => client.answers.get(kind) ?? 0;
  process.stdout.write(
    `litewitness cosigned ${heads} consecutive heads in ${seconds.toFixed(0)} s: ` +
      `${count("cosigned")} cosignatures, ${
        count("size_conflict")
      } answers with 409 and its size, ` +
      `${count("unreachable")} requests without an answer, ${count("failed")} refusals; ` +
      `${starts} starts of the gateway, ${witness.kills} kills of the witness.\n`,
  );
}

if (import.meta.main) {
  const folder = await Deno.makeTempDir();
  try {
    await cosignHeads(folder, optionsOf(Deno.args));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
