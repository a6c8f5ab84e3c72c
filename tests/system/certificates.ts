/**
 * Self-signed certificates of openssl's.
 *
 * @module
 */

import assert from "node:assert/strict";
import { runTool } from "./tools.ts";

/** Makes `<name>.crt` and `<name>.key` in the folder. */
export async function makeCertificate(folder: string, name: string): Promise<void> {
  const args = [
    "req",
    "-x509",
    "-nodes",
    "-newkey",
    "ed25519",
    "-days",
    "2",
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=DNS:localhost,IP:127.0.0.1",
    "-keyout",
    `${name}.key`,
    "-out",
    `${name}.crt`,
  ];
  const { code, stderr } = await runTool("openssl", args, { cwd: folder });
  assert.equal(code, 0, stderr);
}
