/**
 * Certificates of servers on this machine, made by openssl.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { runTool } from "./tools.ts";

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Writes a certificate for this machine to `<name>.pem`, and its key to `<name>.key`. */
export async function writeCertificate(folder: string, name: string): Promise<Certificate> {
  const { code, stderr } = await runTool("openssl", [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-keyout",
    `${name}.key`,
    "-out",
    `${name}.pem`,
    "-days",
    "30",
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=DNS:localhost,IP:127.0.0.1",
    "-addext",
    "basicConstraints=critical,CA:false",
  ], { cwd: folder });
  assert.equal(code, 0, stderr);
  const key = join(folder, `${name}.key`);
  await Deno.chmod(key, 0o600);
  return {
    cert: await Deno.readTextFile(join(folder, `${name}.pem`)),
    key: await Deno.readTextFile(key),
  };
}
