/**
 * A gateway that is a time-stamp authority, as a process of its own, for programs of others.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { type Bytes, utf8 } from "../../src/base/bytes.ts";
import type { TimestampScheme } from "../../src/gateway/timestamping/timestamp_signer.ts";
import { parseBundle, type ProofBundle } from "../../src/proof/format/bundle.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { parsePem } from "../../src/proof/format/pem.ts";
import { parseTimestamp, type TimestampVerdict } from "../../src/proof/timestamp/attested_token.ts";
import { verifyTimestamp } from "../../src/proof/timestamp/verify_timestamp.ts";
import { readCertificate } from "../../src/proof/timestamp/certificate.ts";
import { digestBy, imprintOfContent, requestOf } from "../gateway/timestamping/fixture.ts";
import type { TestHash } from "../proof/timestamp/test_keys.ts";
import { eventually } from "../scenarios/deployment.ts";
import { run, Server } from "../scenarios/program.ts";
import { nativeCrypto } from "../schemes.ts";
import { ServedNetwork } from "../server/served_network.ts";
import { runTool, type ToolResult } from "./tools.ts";

export const SCHEMES = ["ecdsa-p256", "rsa-3072"] as const;
export const QUERY = "application/timestamp-query";

const READY = /^Countersign gateway of \S+ on (http:\/\/127\.0\.0\.1:([0-9]+))$/m;
const ID = "stamps.test";

export interface StampingOptions {
  readonly scheme?: TimestampScheme;
  /** Of the network. */
  readonly signatures?: SignatureScheme;
  /** Threads that answer clients; by default the gateway's one thread does. */
  readonly fronts?: number;
  /** Members of `network.json`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Further arguments of `serve`. */
  readonly args?: readonly string[];
  /** Runs before the gateway starts. */
  readonly prepare?: (gateway: TimestampingGateway) => Promise<void>;
}

/** The folder, with `tsa.key`, `tsa.pem` and `tsa-root.pem`, goes when it is disposed of. */
export class TimestampingGateway implements AsyncDisposable {
  readonly folder: string;
  readonly served: ServedNetwork;
  readonly #args: readonly string[];
  #server: Server | undefined;
  #url = "";

  private constructor(folder: string, served: ServedNetwork, args: readonly string[]) {
    this.folder = folder;
    this.served = served;
    this.#args = args;
  }

  static async start(options: StampingOptions = {}): Promise<TimestampingGateway> {
    const { scheme = "ecdsa-p256", signatures, fronts = 0, members = {}, args = [], prepare } =
      options;
    const folder = await Deno.makeTempDir();
    const gateway = new TimestampingGateway(
      folder,
      await ServedNetwork.create(folder, ID, signatures),
      [
        "--fronts",
        String(fronts),
        ...args,
      ],
    );
    try {
      const made = await run(["tsa", "init", "--scheme", scheme, "--out", folder], { cwd: folder });
      assert.equal(made.code, 0, made.stderr);
      await gateway.served.configure({
        timestamping: {
          key_file: gateway.path("tsa.key"),
          certificates_file: gateway.path("tsa.pem"),
        },
        ...members,
      });
      await prepare?.(gateway);
      await gateway.serve();
      return gateway;
    } catch (error) {
      await gateway[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Starts the gateway, after its process has ended. */
  async serve(): Promise<void> {
    const config = join(this.served.folder, "network.json");
    const args = ["serve", "--config", config, "--port", "0", ...this.#args];
    const { server, match } = await Server.start(args, READY, { cwd: this.folder });
    this.#server = server;
    this.#url = match[1]!;
  }

  get server(): Server {
    assert.ok(this.#server);
    return this.#server;
  }

  get url(): string {
    return this.#url;
  }

  get port(): number {
    return Number(new URL(this.#url).port);
  }

  /** Where clients ask. */
  get tsa(): string {
    return `${this.#url}/tsa`;
  }

  get network(): NetworkConfiguration {
    return this.served.network;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Runs a program in the folder. */
  run(program: string, ...args: readonly string[]): Promise<ToolResult> {
    return runTool(program, args, { cwd: this.folder });
  }

  /** Runs a program that has to succeed; what it printed. */
  async succeed(program: string, ...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(program, ...args);
    assert.equal(code, 0, `${program} ${args.join(" ")}: ${stdout}${stderr}`);
    return stdout + stderr;
  }

  async write(name: string, content: string | Bytes): Promise<void> {
    await Deno.writeFile(
      this.path(name),
      typeof content === "string" ? utf8(content) : content,
    );
  }

  /** The verdict of the library on `token`, below the root. */
  async verdict(token: Bytes, digest?: Bytes): Promise<TimestampVerdict> {
    const [root] = parsePem(await Deno.readTextFile(this.path("tsa-root.pem")));
    return await verifyTimestamp(
      nativeCrypto,
      { network: this.network, peers: [] },
      parseTimestamp(token),
      { digest, roots: [readCertificate(root!.bytes, "root")] },
    );
  }

  /** Requires that the library verifies `token`, also its authority. */
  async requireAttested(token: Bytes, digest?: Bytes): Promise<TimestampVerdict> {
    const verdict = await this.verdict(token, digest);
    const { valid, reason, field, authority: { status } } = verdict;
    assert.deepEqual([valid, reason, field, status], [true, undefined, undefined, "verified"]);
    return verdict;
  }

  /** The same, and that the token is of `content`. */
  async requireValid(
    token: Bytes,
    content: Bytes,
    hash: TestHash = "SHA-256",
  ): Promise<TimestampVerdict> {
    return await this.requireAttested(token, await digestBy(content, hash));
  }

  /** Asks for a token of `content`. */
  async ask(content: Bytes, hash: TestHash = "SHA-256"): Promise<Response> {
    return await this.post(requestOf(await imprintOfContent(content, hash)));
  }

  /** Posts a request, again while the witnesses of a slow machine are late. */
  async post(
    body: Bytes,
    { path = "/tsa", headers = {} }: {
      readonly path?: string;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Response> {
    return await eventually("an answer", async () => {
      const response = await fetch(this.#url + path, {
        method: "POST",
        headers: { "Content-Type": QUERY, ...headers },
        body,
      });
      if (response.status !== 503) return response;
      const { code } = await response.clone().json();
      if (code !== "witnesses_unavailable") return response;
      await response.body?.cancel();
      return undefined;
    });
  }

  /** The bundle of a hash, once it is in a published tree head. */
  async batchedBundle(hash: string): Promise<ProofBundle> {
    return await eventually("the hash is in the log", async () => {
      const response = await fetch(`${this.url}/v1/bundle/${hash}`);
      const text = await response.text();
      if (response.status !== 200) return undefined;
      const bundle = parseBundle(text);
      return bundle.batch_inclusion === null ? undefined : bundle;
    });
  }

  /** The granted reply about `content`. */
  async token(content: Bytes, hash: TestHash = "SHA-256"): Promise<Bytes> {
    const response = await this.ask(content, hash);
    const bytes = new Uint8Array(await response.arrayBuffer());
    assert.equal(response.status, 200, new TextDecoder().decode(bytes));
    return bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.kill();
    await Deno.remove(this.folder, { recursive: true });
  }
}
