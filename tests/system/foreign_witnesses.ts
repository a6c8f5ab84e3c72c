/**
 * Witnesses that are not ours, as programs on loopback: litewitness and sigsum-witness, which
 * `foreign_programs.sh` brings. Also needs `ssh-agent`, `ssh-add` and `ssh-keygen`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Bytes, concat, hexOf, textOf, utf8 } from "../../src/base/bytes.ts";
import { sha256 } from "../../src/proof/crypto/hashing.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey } from "../../src/proof/format/note_key.ts";
import { freePorts } from "../free_ports.ts";
import { until } from "../gateway/fixture.ts";
import { runTool } from "./tools.ts";

/** The origin that Sigsum's programs require of a log. */
export function sigsumOrigin(publicKey: Bytes): string {
  return `sigsum.org/v1/tree/${hexOf(sha256(publicKey))}`;
}

/** The version of the Debian package that has `program`. */
export async function debianVersion(program: string, name: string): Promise<string> {
  const path = await run("/", "bash", ["-c", `realpath "$(command -v ${program})"`]);
  const file = join(dirname(path), `../share/doc/${name}/changelog.Debian.gz`);
  const [, version = ""] = /\((.*?)\)/.exec(textOf(gunzipSync(await Deno.readFile(file)))) ?? [];
  return version;
}

/** A running witness that follows one log. */
export class ForeignWitness implements AsyncDisposable {
  readonly key: NoteKey;
  readonly url: string;
  kills = 0;
  readonly #command: Deno.Command;
  readonly #agent: Deno.ChildProcess | undefined;
  #child: Deno.ChildProcess;

  private constructor(
    witness: { readonly key: NoteKey; readonly port: number },
    command: Deno.Command,
    agent?: Deno.ChildProcess,
  ) {
    this.key = witness.key;
    this.url = `http://127.0.0.1:${witness.port}/`;
    this.#command = command;
    this.#agent = agent;
    this.#child = command.spawn();
  }

  /** litewitness, with its key in an agent and its state in `folder`. */
  static async litewitness(
    folder: string,
    log: NoteKey,
    name = "witness.example/lite",
  ): Promise<ForeignWitness> {
    const file = (name: string) => join(folder, name);
    const publicKey = await makeSshKey(folder);
    const agent = start("ssh-agent", ["-D", "-a", file("agent")]).spawn();
    await until(() => Deno.stat(file("agent")).then(() => true, () => false));
    await run(folder, "ssh-add", ["key"], { SSH_AUTH_SOCK: file("agent") });
    const [, fingerprint = ""] = (await run(folder, "ssh-keygen", ["-lf", "key.pub"])).split(" ");
    await run(folder, "witnessctl", ["add-log", "-db", "db", "-origin", log.name]);
    await addLogKey(folder, log);
    const port = freePorts(1);
    const key = { name, type: NOTE_TYPE.cosignature, publicKey };
    const agentArgs = ["-key", fingerprint, "-ssh-agent", file("agent")];
    const args = ["-name", name, "-db", file("db"), "-listen", `127.0.0.1:${port}`, ...agentArgs];
    return await listening(new ForeignWitness({ key, port }, start("litewitness", args), agent));
  }

  /** sigsum-witness, with its key and its state in `folder`; `log` has the origin of its key. */
  static async sigsum(folder: string, log: NoteKey): Promise<ForeignWitness> {
    const file = (name: string) => join(folder, name);
    const publicKey = await makeSshKey(folder);
    // RFC 8709 section 4.
    const parts = [utf8("ssh-ed25519"), log.publicKey].flatMap((part) => [
      Uint8Array.of(0, 0, 0, part.length),
      part,
    ]);
    await Deno.writeTextFile(file("log.pub"), `ssh-ed25519 ${concat(...parts).toBase64()} log\n`);
    const name = `sigsum.org/v1/witness/${hexOf(sha256(publicKey))}`;
    const port = freePorts(1);
    const key = { name, type: NOTE_TYPE.cosignature, publicKey };
    const files = [
      "-k",
      file("key"),
      `--log-key=${file("log.pub")}`,
      `--state-file=${file("state")}`,
    ];
    const command = start("sigsum-witness", [...files, `127.0.0.1:${port}`]);
    return await listening(new ForeignWitness({ key, port }, command));
  }

  /** Kills it, and starts it again. */
  async kill(): Promise<void> {
    this.kills++;
    this.#child.kill("SIGKILL");
    await this.#child.status;
    this.#child = this.#command.spawn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of [this.#child, this.#agent]) {
      child?.kill("SIGKILL");
      await child?.status;
    }
  }
}

/** Has the litewitness with its state in `folder` follow its log under a further key. */
export async function addLogKey(folder: string, log: NoteKey): Promise<void> {
  const args = ["-db", "db", "-origin", log.name, "-key", encodeVkey(log)];
  await run(folder, "witnessctl", ["add-key", ...args]);
}

async function listening(witness: ForeignWitness): Promise<ForeignWitness> {
  await until(() =>
    fetch(witness.url).then((answer) => answer.body?.cancel().then(() => true) ?? true, () => false)
  );
  return witness;
}

function start(program: string, args: readonly string[]): Deno.Command {
  return new Deno.Command(program, {
    args: [...args],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  });
}

async function run(
  cwd: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await runTool(program, args, { cwd, env });
  assert.equal(code, 0, `${program}: ${stderr}`);
  return stdout;
}

/** Makes `key` and `key.pub`; the public key. */
async function makeSshKey(folder: string): Promise<Bytes> {
  await run(folder, "ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", "key"]);
  const [, blob = ""] = (await Deno.readTextFile(join(folder, "key.pub"))).split(" ");
  // The last field of the key's blob (RFC 8709 section 4).
  return Uint8Array.fromBase64(blob).slice(-32);
}
