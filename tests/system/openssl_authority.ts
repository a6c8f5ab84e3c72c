/**
 * A time-stamp authority of openssl's (`openssl ts`), with its certificate authority, in a folder
 * of its own; and openssl's verifier.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { Bytes } from "../../src/base/bytes.ts";
import { runTool } from "./tools.ts";

/** What openssl is asked to make. */
export interface AuthorityOptions {
  /** Arguments of `openssl genpkey`, for the authority's key and for its issuers'. */
  readonly key: readonly string[];
  /** Whether an authority stands between the root and the signer. */
  readonly hasIntermediate: boolean;
  /** Lines of the section of `openssl ts` (openssl-ts(1), CONFIGURATION FILE OPTIONS). */
  readonly settings: readonly string[];
}

export const POLICY = "1.3.6.1.4.1.57264.2";

function configuration(settings: readonly string[]): string {
  return [
    "[req]",
    "distinguished_name = name",
    "[name]",
    "[authority]",
    "basicConstraints = critical, CA:true",
    "keyUsage = critical, keyCertSign",
    "subjectKeyIdentifier = hash",
    "[signer]",
    "extendedKeyUsage = critical, timeStamping",
    "keyUsage = critical, digitalSignature",
    "subjectKeyIdentifier = hash",
    "authorityKeyIdentifier = keyid",
    "[ts]",
    "serial = serial",
    `default_policy = ${POLICY}`,
    "digests = sha256",
    ...settings,
    "",
  ].join("\n");
}

function openssl(folder: string, ...args: readonly string[]) {
  // Without the configuration of the machine.
  return runTool("openssl", args, { cwd: folder, env: { OPENSSL_CONF: "ts.cnf" } });
}

/** Whether `openssl ts -verify` accepts `file`, a reply, for `digest`, below `root` in PEM. */
export async function opensslVerifies(file: Bytes, digest: Bytes, root: Bytes): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "ts.cnf"), "");
    await Deno.writeFile(join(folder, "x.tsr"), file);
    await Deno.writeFile(join(folder, "root.pem"), root);
    const { code, stdout, stderr } = await openssl(
      folder,
      "ts",
      "-verify",
      "-digest",
      digest.toHex(),
      "-in",
      "x.tsr",
      "-CAfile",
      "root.pem",
    );
    assert.equal(code === 0, /Verification: OK/.test(stdout + stderr), stdout + stderr);
    return code === 0;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** One authority; its folder goes when it is disposed of. */
export class OpensslAuthority implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(options: AuthorityOptions): Promise<OpensslAuthority> {
    const made = new OpensslAuthority(await Deno.makeTempDir());
    await Deno.writeTextFile(made.#path("ts.cnf"), configuration(options.settings));
    await Deno.writeTextFile(made.#path("serial"), "01");
    await made.#key("root", options.key);
    const subject = ["-config", "ts.cnf", "-sha256", "-subj"];
    await made.#run(
      "req",
      "-x509",
      "-new",
      "-key",
      "root.key",
      "-days",
      "30",
      "-extensions",
      "authority",
      "-out",
      "root.pem",
      ...subject,
      "/O=Test/CN=Root",
    );
    let issuer = "root";
    if (options.hasIntermediate) {
      await made.#certificate("intermediate", issuer, "authority", options.key);
      issuer = "intermediate";
    }
    await made.#certificate("signer", issuer, "signer", options.key);
    await Deno.copyFile(made.#path(`${issuer}.pem`), made.#path("chain.pem"));
    return made;
  }

  async #key(name: string, args: readonly string[]): Promise<void> {
    await this.#run("genpkey", ...args, "-out", `${name}.key`);
  }

  async #certificate(
    name: string,
    issuer: string,
    extensions: string,
    key: readonly string[],
  ): Promise<void> {
    await this.#key(name, key);
    await this.#run(
      "req",
      "-new",
      "-key",
      `${name}.key`,
      "-config",
      "ts.cnf",
      "-sha256",
      "-subj",
      `/O=Test/CN=${name}`,
      "-out",
      `${name}.csr`,
    );
    await this.#run(
      "x509",
      "-req",
      "-in",
      `${name}.csr`,
      "-CA",
      `${issuer}.pem`,
      "-CAkey",
      `${issuer}.key`,
      "-CAcreateserial",
      "-days",
      "30",
      "-sha256",
      "-extfile",
      "ts.cnf",
      "-extensions",
      extensions,
      "-out",
      `${name}.pem`,
    );
  }

  /** The root certificate, PEM. */
  root(): Promise<Bytes> {
    return Deno.readFile(this.#path("root.pem"));
  }

  /** The reply to a request, as `openssl ts -reply` gives it. */
  async reply(request: Bytes): Promise<Bytes> {
    await Deno.writeFile(this.#path("query"), request);
    await this.#run(
      "ts",
      "-reply",
      "-config",
      "ts.cnf",
      "-section",
      "ts",
      "-queryfile",
      "query",
      "-inkey",
      "signer.key",
      "-signer",
      "signer.pem",
      "-chain",
      "chain.pem",
      "-out",
      "reply",
    );
    return await Deno.readFile(this.#path("reply"));
  }

  /** What `openssl ts` prints of a reply. */
  async text(file: Bytes): Promise<string> {
    await Deno.writeFile(this.#path("x.tsr"), file);
    return await this.#run("ts", "-reply", "-in", "x.tsr", "-text");
  }

  async #run(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.#openssl(...args);
    assert.equal(code, 0, `openssl ${args[0]}: ${stderr}`);
    return stdout;
  }

  #openssl(...args: readonly string[]) {
    return openssl(this.#folder, ...args);
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }
}
