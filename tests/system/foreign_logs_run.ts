/**
 * `deno task foreign:logs`: programs of others use our witness, unchanged. Its sole witness is ours: a log
 * of Tessera's, and a Sigsum log; and litewitness's published requests get the answers that they expect.
 * The Sigsum log reaches the witness through litebastion.
 * `foreign_logs/build.sh` brings the programs (340 MB, some minutes), or `--programs DIR` names them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { concat, fromHex, hexOf, textOf, utf8 } from "../../src/base/bytes.ts";
import { parseWitnessNode } from "../../src/config/witness_node.ts";
import { readTextFile } from "../../src/config/text_file.ts";
import { sha256 } from "../../src/proof/crypto/hashing.ts";
import { parseNote } from "../../src/proof/format/note.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey, noteKeyId } from "../../src/proof/format/note_key.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { serveMonitor } from "../../src/server/monitor/monitor_server.ts";
import { serveWitness } from "../../src/server/witness/witness_server.ts";
import { verifyNote } from "../../src/proof/verify/note.ts";
import { Client } from "../cli/client_run.ts";
import { bls, nativeCrypto } from "../schemes.ts";
import { CapturedIo } from "../server/captured_io.ts";
import { signerOf } from "../proof/verify/test_network.ts";
import { makeCertificate } from "./certificates.ts";

const LEAVES = 5;

/** Our witness, and a folder for the programs that use it. */
class Site implements AsyncDisposable {
  readonly folder: string;
  readonly programs: string;
  readonly url: string;
  readonly key: NoteKey;
  /** Where litebastion has the witness. */
  readonly bastionUrl: string;
  readonly #config: string;
  readonly #stop: () => Promise<void>;
  readonly #children: Deno.ChildProcess[] = [];

  private constructor(
    options: Pick<Site, "folder" | "programs" | "url" | "key" | "bastionUrl"> & { config: string },
    stop: () => Promise<void>,
  ) {
    this.folder = options.folder;
    this.programs = options.programs;
    this.url = options.url;
    this.key = options.key;
    this.bastionUrl = options.bastionUrl;
    this.#config = options.config;
    this.#stop = stop;
  }

  static async start(programs: string): Promise<Site> {
    const folder = await Deno.makeTempDir();
    const { witnessFiles: [config] } = await createNetwork({
      witnesses: 1,
      threshold: 1,
      scheme: "ed25519",
      kind: "remote",
      basePort: 8091,
      out: join(folder, "net"),
    }, bls);
    const members = JSON.parse(await Deno.readTextFile(config!));
    for (const name of ["bastion", "client"]) await makeCertificate(folder, name);
    const client = await Deno.readTextFile(join(folder, "client.crt"));
    const publicKey = new X509Certificate(client).publicKey.export({ type: "spki", format: "der" });
    const keyHash = hexOf(sha256(new Uint8Array(publicKey.subarray(-32))));
    const bastion = freeAddress();
    const http = freeAddress();
    const changed = {
      ...members,
      port: 0,
      logs_file: "logs.json",
      bastion: {
        url: `https://${bastion}`,
        cert_file: join(folder, "client.crt"),
        key_file: join(folder, "client.key"),
        ca_file: join(folder, "bastion.crt"),
      },
    };
    await Deno.writeTextFile(config!, JSON.stringify(changed));
    const node = parseWitnessNode(await readTextFile(config!), config!);
    const io = new CapturedIo({ folder });
    const stop = new AbortController();
    const over = serveWitness(node, io, stop.signal);
    const [, url] = await io.printed(/^Witness \S+ on (http:\/\/\S+)$/);
    const { pubkey } = await (await fetch(`${url}/v1/info`)).json();
    const key = { name: node.id, type: NOTE_TYPE.cosignature, publicKey: fromHex(pubkey) };
    const bastionUrl = `http://${http}/${keyHash}`;
    const options = { folder, programs, url: url!, key, bastionUrl, config: config! };
    const site = new Site(options, async () => {
      stop.abort();
      await over;
      await Deno.remove(folder, { recursive: true });
    });
    await Deno.writeTextFile(site.path("backends"), `${keyHash}\n`);
    site.start(
      "litebastion",
      "-listen",
      bastion,
      "-listen-http",
      http,
      "-backends",
      "backends",
      "-tls-cert",
      "bastion.crt",
      "-tls-key",
      "bastion.key",
    );
    await untilListening(http);
    return site;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async follow(origin: string, key: NoteKey): Promise<void> {
    const line = ["witness", "follow", this.#config, "--origin", origin];
    const { code, stderr } = await new Client(this.folder).run([
      ...line,
      "--vkey",
      encodeVkey(key),
    ]);
    assert.equal(code, 0, stderr);
  }

  /** Runs a program to its end; answers its standard output. */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    const command = new Deno.Command(join(this.programs, "bin", program), {
      args: [...args],
      cwd: this.folder,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
    const { success, stdout, stderr } = await command.output();
    assert.ok(success, `${program}: ${textOf(stderr)}`);
    return textOf(stdout);
  }

  /** Starts a program that ends with the site. */
  start(program: string, ...args: readonly string[]): void {
    const command = new Deno.Command(join(this.programs, "bin", program), {
      args: [...args],
      cwd: this.folder,
      stdin: "null",
      stdout: "null",
      stderr: "null",
      // Debian builds without modules: Go then takes the methods in the log's routes for hosts.
      env: { GODEBUG: "httpmuxgo121=0" },
    });
    this.#children.push(command.spawn());
  }

  /** The checkpoint that monitors read of the log, whose lines by the log and by us have to verify. */
  async monitored(origin: string, logKey: NoteKey): Promise<number> {
    const path = `${hexOf(sha256(utf8(origin)))}/checkpoint`;
    const note = parseNote(await (await fetch(`${this.url}/${path}`)).text());
    const { lines, reason } = await verifyNote(nativeCrypto, [logKey, this.key], note);
    assert.equal(reason, undefined);
    assert.equal(lines.length, 2);
    assert.equal(note.text.split("\n")[0], origin);
    return Number(note.text.split("\n")[1]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) {
      child.kill("SIGKILL");
      await child.status;
    }
    await this.#stop();
  }
}

function freeAddress(): string {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return `127.0.0.1:${listener.addr.port}`;
}

async function untilListening(address: string): Promise<void> {
  const [hostname, port] = address.split(":");
  for (let tries = 0;; tries++) {
    try {
      (await Deno.connect({ hostname: hostname!, port: Number(port) })).close();
      return;
    } catch (error) {
      if (tries > 600) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** The requests of litewitness's own test, with the statuses and contents that it expects. */
async function checkLitewitnessRequests(site: Site): Promise<number> {
  const script = await Deno.readTextFile(join(site.programs, "litewitness.txt"));
  const [, hurl = ""] = /^-- add-checkpoint\.hurl --\n([\s\S]*?)^-- /m.exec(script) ?? [];
  const [, keyHex = ""] = /add-sigsum-log -key=([0-9a-f]{64})/.exec(script) ?? [];
  const publicKey = fromHex(keyHex);
  const origin = `sigsum.org/v1/tree/${hexOf(sha256(publicKey))}`;
  await site.follow(origin, { name: origin, type: NOTE_TYPE.ed25519, publicKey });
  const requests = [...hurl.matchAll(
    /^POST \S+\n```\n([\s\S]*?)```\nHTTP (\d+)\n\[Asserts\]\nbody (contains|==) "(.*)"$/gm,
  )];
  for (const [i, [, body, status, relation, expected]] of requests.entries()) {
    const answer = await fetch(`${site.url}/add-checkpoint`, { method: "POST", body: body! });
    const text = await answer.text();
    // The wrong signature has base64 with spare bits that are not zero, which we refuse before we verify it.
    const isStrict = status === "403" && answer.status === 400 && /signature line/.test(text);
    assert.ok(isStrict || answer.status === Number(status), `request ${i}: ${text}`);
    if (relation === "==") assert.equal(text, JSON.parse(`"${expected}"`), `request ${i}`);
    // Refusals have texts of our own.
    else if (answer.ok) assert.ok(text.startsWith(`\u2014 ${site.key.name} `), `request ${i}`);
  }
  return requests.length;
}

/** Entries of a Tessera log are in a checkpoint with our cosignature. */
async function checkTessera(site: Site): Promise<number> {
  const origin = "tessera.example/log";
  const { publicKey } = signerOf(origin);
  const key = { name: origin, type: NOTE_TYPE.ed25519, publicKey };
  // The seed of signerOf().
  const secret = concat(Uint8Array.of(1), sha256(utf8(origin))).toBase64();
  const id = hexOf(noteKeyId(key));
  await Deno.writeTextFile(site.path("tessera.key"), `PRIVATE+KEY+${origin}+${id}+${secret}`);
  const policy = `witness w ${encodeVkey(site.key)} ${site.url}\nquorum w\n`;
  await Deno.writeTextFile(site.path("tessera.policy"), policy);
  await site.follow(origin, key);
  const address = freeAddress();
  site.start("tessera_log", site.path("tessera"), "tessera.key", "tessera.policy", address);
  await untilListening(address);
  for (let i = 0; i < LEAVES; i++) {
    const url = `http://${address}/add`;
    const added: Response = await fetch(url, { method: "POST", body: `entry ${i}` });
    assert.equal(await added.text(), String(i));
  }
  const note = parseNote(await (await fetch(`http://${address}/checkpoint`)).text());
  const { lines, reason } = await verifyNote(nativeCrypto, [key, site.key], note);
  assert.deepEqual([lines.length, reason], [2, undefined]);
  assert.ok(await site.monitored(origin, key) >= LEAVES);
  await checkConformance(site, `http://${address}/`, key);
  await checkMonitor(site, { origin, key, url: `http://${address}/` });
  return LEAVES;
}

/** The conformance suite finds no broken MUST of the log. */
async function checkConformance(site: Site, url: string, key: NoteKey): Promise<void> {
  const args = ["conformance", "log", url, "--vkey", encodeVkey(key)];
  const { code, json, stderr } = await new Client(site.folder).runJson(args);
  assert.equal(code, 0, stderr);
  assert.ok(json.summary.MUST.pass > 10, JSON.stringify(json.summary));
}

/** A monitor finds nothing in the log and at our witness, while the log grows. */
async function checkMonitor(
  site: Site,
  { origin, key, url }: { readonly origin: string; readonly key: NoteKey; readonly url: string },
): Promise<void> {
  const policy = `log ${encodeVkey(key)}\nwitness w ${encodeVkey(site.key)}\nquorum w\n`;
  await Deno.writeTextFile(site.path("monitor.policy"), policy);
  const config = site.path("monitor.json");
  await Deno.writeTextFile(
    config,
    JSON.stringify({
      state_folder: "monitor",
      grace_seconds: 0,
      logs: [{
        origin,
        policy_file: "monitor.policy",
        max_age_seconds: 600,
        views: [
          { name: "log", url },
          { name: "files", folder: "tessera" },
          { name: "witness", kind: "witness", url: site.url },
        ],
        watch: [{ hash: hexOf(sha256(utf8("entry 3"))) }],
      }],
    }),
  );
  for (let i = 0; i < LEAVES; i++) {
    const io = new CapturedIo({ folder: site.folder });
    const options = { config, once: true, json: false };
    const code = await serveMonitor(options, io, new AbortController().signal);
    assert.deepEqual([code, io.outLines.at(-1)], [0, "No open findings"], io.stdout);
    const added = await fetch(`${url}add`, { method: "POST", body: `more ${i}` });
    const index = await added.text();
    assert.ok(added.ok, index);
  }
  const state = JSON.parse(await Deno.readTextFile(site.path("monitor/state.json")));
  assert.equal(state.logs[0].watched[0].index, 3);
}

/** Leaves of a Sigsum log get proofs whose policy needs our cosignature, and sigsum-verify accepts them. */
async function checkSigsum(site: Site): Promise<number> {
  for (const name of ["log", "submitter"]) await site.run("sigsum-key", "generate", "-o", name);
  const publicKey = fromHex((await site.run("sigsum-key", "to-hex", "-k", "log.pub")).trim());
  const origin = `sigsum.org/v1/tree/${hexOf(sha256(publicKey))}`;
  const key = { name: origin, type: NOTE_TYPE.ed25519, publicKey };
  await site.follow(origin, key);
  const [external, internal] = [freeAddress(), freeAddress()];
  const witness = `witness w ${hexOf(site.key.publicKey)} ${site.bastionUrl}\nquorum w\n`;
  const policy = `log ${hexOf(publicKey)} http://${external}\n${witness}`;
  await Deno.writeTextFile(site.path("sigsum.policy"), policy);
  await site.run("sigsum-mktree", "--mode", "empty", "--sth-file", "sth");
  site.start(
    "sigsum-log-primary",
    "--backend",
    "ephemeral",
    "--interval",
    "1s",
    "--external-endpoint",
    external,
    "--internal-endpoint",
    internal,
    "--key-file",
    "log",
    "--policy-file",
    "sigsum.policy",
    "--sth-file",
    "sth",
  );
  await untilListening(external);
  for (let i = 0; i < LEAVES; i++) {
    const message = `message ${i}`;
    await Deno.writeTextFile(site.path(message), message);
    await site.run("sigsum-submit", "-k", "submitter", "-p", "sigsum.policy", message);
    const verify = new Deno.Command(join(site.programs, "bin/sigsum-verify"), {
      args: ["-k", "submitter.pub", "-p", "sigsum.policy", `${message}.proof`],
      cwd: site.folder,
      stdin: "piped",
      stderr: "piped",
    }).spawn();
    const writer = verify.stdin.getWriter();
    await writer.write(utf8(message));
    await writer.close();
    const { success, stderr } = await verify.output();
    assert.ok(success, textOf(stderr));
  }
  assert.ok(await site.monitored(origin, key) >= LEAVES);
  return LEAVES;
}

if (import.meta.main) {
  const given = Deno.args[0] === "--programs" ? Deno.args[1] : undefined;
  const built = given ?? await Deno.makeTempDir();
  try {
    if (given === undefined) {
      const script = fileURLToPath(new URL("foreign_logs/build.sh", import.meta.url));
      const { success } = await new Deno.Command(script, { args: [built] }).spawn().status;
      assert.ok(success, "The programs are not built");
    }
    await using site = await Site.start(built);
    const requests = await checkLitewitnessRequests(site);
    assert.equal(requests, 9);
    const entries = await checkTessera(site);
    const leaves = await checkSigsum(site);
    process.stdout.write(
      `Our witness answers ${requests} requests of litewitness's test as expected. As the sole witness of ` +
        `a Tessera log it cosigned ${entries} entries, in which a monitor and the conformance suite find ` +
        `nothing, and through ` +
        `litebastion, of a Sigsum log, ${leaves} leaves.
`,
    );
  } finally {
    if (given === undefined) await Deno.remove(built, { recursive: true });
  }
}
