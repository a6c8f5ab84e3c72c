/**
 * Composes and runs a signer process: keys in files, by the protocol of docs/signer.md.
 *
 * @module
 */

import { aborted } from "../../base/clock.ts";
import { loadToken } from "../../config/bearer_tokens.ts";
import { type KeyReading, readAnySigner } from "../../config/key_file.ts";
import { readTimestampSigner } from "../../config/timestamp_key_file.ts";
import { readPrivateFile } from "../../config/private_file.ts";
import { parseSignerNode, type SignerNode } from "../../config/signer_node.ts";
import { readTextFile } from "../../config/text_file.ts";
import { loadBls } from "../../proof/crypto/best_bls.ts";
import { CountersignError } from "../../base/errors.ts";
import { type ServedSigner, signerApp } from "../../http/signer/signer_app.ts";
import { nameAtSigner } from "../../proof/format/signer_key.ts";
import type { CliIo } from "../io.ts";
import type { WitnessRoleOptions } from "../roles/role_options.ts";
import { openLog } from "../service_log.ts";
import { serveOnSocket } from "./signer_socket.ts";

/** Serves until `signal` aborts. Returns the exit code. */
export async function serveSigner(
  { config, ...choice }: WitnessRoleOptions,
  io: CliIo,
  signal: AbortSignal,
): Promise<number> {
  const node = parseSignerNode(await readPrivateFile(config), config);
  const report = openLog(choice, io).report("signer");
  const reading = { bls: await loadBls(), env: (name: string) => io.env(name), report };
  const keys = await readKeys(node, reading);
  const handler = signerApp({ keys, token: await loadToken(node.token, reading), report });
  const { server, url } = await listenAt(node, handler, signal);
  io.out(`Signer on ${url} with ${keys.map(({ name }) => name).join(", ")}`);
  await aborted(signal);
  await server.finished;
  return 0;
}

async function readKeys(
  { keyFiles, tsaKeys }: SignerNode,
  reading: KeyReading,
): Promise<ServedSigner[]> {
  const served: ServedSigner[] = [];
  for (const file of keyFiles) served.push(await readAnySigner(file, reading));
  for (const { name, keyFile } of tsaKeys) {
    served.push({ kind: "tsa", name, signer: await readTimestampSigner(keyFile, reading) });
  }
  const names = new Set(served.map(({ name, signer }) => nameAtSigner(name, signer.scheme)));
  if (names.size === served.length) return served;
  throw new CountersignError("invalid_configuration", "Cannot serve: two keys have the same name");
}

async function listenAt(
  { address }: SignerNode,
  handler: (request: Request) => Promise<Response>,
  signal: AbortSignal,
) {
  if (address.kind === "socket") {
    const { path } = address;
    return { server: await serveOnSocket(path, handler, signal), url: `unix:${path}` };
  }
  const cert = await readTextFile(address.certFile);
  const key = await readPrivateFile(address.keyFile);
  const { host: hostname, port } = address;
  const server = Deno.serve({ hostname, port, cert, key, signal, onListen() {} }, handler);
  return { server, url: `https://${hostname}:${server.addr.port}` };
}
