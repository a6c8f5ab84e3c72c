/**
 * Keys with signers that are killed and come back: witnesses say so, the gateway says so, and all recovers
 * without a restart.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseVkey } from "../../src/proof/format/note_key.ts";
import { freePorts } from "../free_ports.ts";
import { writeCertificate } from "./certificate.ts";
import { valueOf } from "../http/metrics/page_samples.ts";
import { Deployment, eventually } from "../scenarios/deployment.ts";
import { Server } from "../scenarios/program.ts";

const TOKEN = "t".repeat(32);

/** Puts the keys of `deployment` with signers, one process for each entry of `#running`. */
class SignerSite implements AsyncDisposable {
  readonly #deployment: Deployment;
  readonly #running = new Map<string, Server>();

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
  }

  async write(name: string, value: unknown): Promise<void> {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const file = join(this.#deployment.folder, name);
    await Deno.writeTextFile(file, text, { mode: 0o600 });
    await Deno.chmod(file, 0o600);
  }

  /** Moves key files to the signer `name`, and leaves references to it, at `url`, in their places. */
  async give(name: string, url: string, place: object, keyFiles: readonly string[]): Promise<void> {
    const { folder } = this.#deployment;
    const network = await this.#deployment.network();
    await this.write("signer.token", TOKEN);
    const files: string[] = [];
    for (const [i, file] of keyFiles.entries()) {
      const moved = `${name}-${i}.key`;
      await Deno.rename(join(folder, file), join(folder, moved));
      files.push(moved);
      const witness = network.witnesses[Number(/witness-(\d)/.exec(file)?.[1]) - 1];
      await this.write(file, {
        signer: url,
        token_file: join(folder, "signer.token"),
        ...(witness === undefined
          ? {
            kind: "log",
            name: network.id,
            scheme: "ed25519",
            public_key: parseVkey(network.log_vkey!).publicKey.toHex(),
          }
          : {
            kind: "witness",
            name: witness.id,
            scheme: network.signature_scheme,
            public_key: witness.pubkey,
          }),
      });
    }
    await this.write(`${name}.json`, { ...place, token_file: "signer.token", key_files: files });
  }

  /** Starts the signer `name`; the URL that it prints. */
  async start(name: string): Promise<string> {
    const where = { cwd: this.#deployment.folder };
    const ready = /^Signer on (\S+) with/m;
    const { server, match } = await Server.start(["signer", `${name}.json`], ready, where);
    this.#running.set(name, server);
    return match[1]!;
  }

  async kill(name: string): Promise<void> {
    await this.#running.get(name)?.kill();
    this.#running.delete(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of [...this.#running.keys()]) await this.kill(name);
  }
}

class Site {
  readonly deployment: Deployment;

  constructor(deployment: Deployment) {
    this.deployment = deployment;
  }

  #operator(path: string): Promise<Response> {
    const [, url] = /^ {2}operators: (\S+)$/m.exec(this.deployment.gateway.stdout)!;
    return fetch(new URL(path, url));
  }

  async startGateway(): Promise<void> {
    await this.deployment.startGateway("--operator-port", "0", "--batch-max-age-ms", "50");
  }

  /** Posts the hash of `text` without waiting for signatures; the hash. */
  async submit(text: string): Promise<string> {
    const hash = createHash("sha256").update(text).digest("hex");
    const answer = await this.deployment.post("/v1/attestations", { hash });
    assert.ok(answer.status < 300, answer.text);
    return hash;
  }

  async progressOf(hash: string): Promise<string> {
    return JSON.parse((await this.deployment.get(`/v1/attestations/${hash}`)).text).progress;
  }

  reaches(hash: string, progress: string): Promise<true> {
    return eventually(
      `${hash} is ${progress}`,
      async () => await this.progressOf(hash) === progress || undefined,
    );
  }

  /** The text of each reason of /ready, by code. */
  async reasons(): Promise<Map<string, string>> {
    const { reasons } = await (await this.#operator("/ready")).json();
    return new Map(
      reasons.map(({ code, detail }: Record<string, string>) => [code, detail]),
    );
  }

  /** Waits until /ready has `code` as a reason; its text. The metrics then say the same. */
  async isUnready(code: string): Promise<string> {
    const detail = await eventually(
      `/ready says ${code}`,
      async () => (await this.reasons()).get(code),
    );
    await eventually("the metrics say so too", async () => {
      const page = await (await this.#operator("/metrics")).text();
      return valueOf(page, "countersign_unready", { code }) === 1 || undefined;
    });
    return detail;
  }

  isReady(): Promise<true> {
    return eventually("/ready is 200", async () => (await this.reasons()).size === 0 || undefined);
  }

  async witnesses(): Promise<{ readonly id: string; readonly last_error?: string }[]> {
    return JSON.parse((await this.deployment.get("/v1/status")).text).witnesses;
  }

  async checkStore(): Promise<void> {
    assert.equal(await this.deployment.stopGateway(), 0);
    const config = join("net", "network.json");
    const found = await this.deployment.countersign("fsck", "--config", config);
    assert.equal(found.code, 0, found.stdout + found.stderr);
  }
}

const witnessKey = (number: number) => join("net", `witness-${number}`, "witness.key");
const LOG_KEY = join("net", "log.key");

Deno.test("signers of a log and of two witnesses are killed and come back", async () => {
  await using deployment = await Deployment.create("ed25519");
  await using signers = new SignerSite(deployment);
  const site = new Site(deployment);
  const socket = (name: string) => join(deployment.folder, `${name}.sock`);
  const placed = { witnesses: [witnessKey(1), witnessKey(2)], log: [LOG_KEY] };
  for (const [name, keyFiles] of Object.entries(placed)) {
    await signers.give(name, `unix:${socket(name)}`, { socket: `${name}.sock` }, keyFiles);
  }

  // No signer is there yet: all starts, and the gateway names the log key's as the cause.
  await Promise.all([0, 1, 2].map((index) => deployment.startWitness(index)));
  await site.startGateway();
  assert.match(await site.isUnready("signer_unavailable"), /signer of the log's key/);
  assert.ok((await site.reasons()).has("witnesses_unavailable"));
  const refused = await deployment.post("/v1/attestations", { hash: "ab".repeat(32) });
  assert.match(refused.text, /witnesses_unavailable/);
  await signers.start("witnesses");
  await signers.start("log");
  await site.isReady();
  await site.reaches(await site.submit("first"), "batched");

  await signers.kill("witnesses");
  const waiting = await site.submit("without witnesses' keys");
  assert.match(await site.isUnready("witnesses_missing"), /signer_unavailable/);
  const away = ["signer_unavailable", "signer_unavailable", undefined];
  await eventually("the status names the witnesses whose signer is away", async () => {
    const errors = (await site.witnesses()).map(({ last_error }) => last_error);
    return JSON.stringify(errors) === JSON.stringify(away) || undefined;
  });
  assert.equal(await site.progressOf(waiting), "unconfirmed");
  await signers.start("witnesses");
  await site.reaches(waiting, "batched");

  await signers.kill("log");
  const signed = await site.submit("without the log's key");
  await site.reaches(signed, "confirmed");
  await site.isUnready("signer_unavailable");
  await signers.start("log");
  await site.reaches(signed, "batched");
  await site.isReady();

  // A line when it begins and one when it ends; the log key's second time may be within the minute.
  for (const index of [0, 1]) {
    const { stderr } = deployment.witness(index);
    assert.match(stderr, /Cannot sign with key \S+.*signer at unix:/);
    assert.ok(!stderr.includes(TOKEN));
  }
  assert.doesNotMatch(deployment.witness(2).stderr, /signer/);
  assert.match(deployment.gateway.stderr, /The signer of key \S+ signs again/);
  await site.checkStore();
});

Deno.test("witnesses of a bls network sign by a signer over HTTPS", async () => {
  await using deployment = await Deployment.create("bls");
  await using signers = new SignerSite(deployment);
  const site = new Site(deployment);
  await writeCertificate(deployment.folder, "tls");
  const port = freePorts(1);
  const place = { host: "localhost", port, cert_file: "tls.pem", tls_key_file: "tls.key" };
  await signers.give("https", `https://localhost:${port}`, place, [witnessKey(1), witnessKey(2)]);
  const trusting = ["env", `DENO_CERT=${join(deployment.folder, "tls.pem")}`];
  // The second does not trust the certificate: its signer is unavailable, and the others are enough.
  await deployment.startWitness(0, trusting);
  await deployment.startWitness(1);
  await deployment.startWitness(2);
  await signers.start("https");
  await site.startGateway();
  await site.isReady();
  await site.reaches(await site.submit("first"), "batched");
  await eventually(
    "the second witness fails",
    async () => (await site.witnesses())[1]!.last_error === "signer_unavailable" || undefined,
  );
  await signers.kill("https");
  const waiting = await site.submit("second");
  assert.match(await site.isUnready("witnesses_missing"), /signer_unavailable/);
  await signers.start("https");
  await site.reaches(waiting, "batched");
  await site.checkStore();
});
