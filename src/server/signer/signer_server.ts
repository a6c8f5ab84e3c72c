/**
 * Composes and runs a signer process: keys in files and in a PKCS#11 token, by the protocol of
 * docs/signer.md.
 *
 * @module
 */

import { aborted } from "../../clock.ts";
import { loadPassword, loadToken } from "../../config/bearer_tokens.ts";
import { type KeyReading, readAnySigner } from "../../config/key_file.ts";
import { readPrivateFile } from "../../config/private_file.ts";
import { parseSignerNode, type SignerNode } from "../../config/signer_node.ts";
import { readTextFile } from "../../config/text_file.ts";
import { loadBls } from "../../crypto/best_bls.ts";
import { CountersignError } from "../../errors.ts";
import { type ServedSigner, signerApp } from "../../http/signer/signer_app.ts";
import { Pkcs11Token } from "../../signer/pkcs11.ts";
import { nameAtSigner } from "../../signer/signed_text.ts";
import { systemCode } from "../../system_error.ts";
import type { CliIo } from "../io.ts";
import type { WitnessRoleOptions } from "../roles/role_options.ts";
import { openLog } from "../service_log.ts";

/** Mode of the socket: its folder decides who else reaches it. */
const SOCKET_MODE = 0o660;

/** Serves until `signal` aborts. Returns the exit code. */
export async function serveSigner(
  { config, ...choice }: WitnessRoleOptions,
  io: CliIo,
  signal: AbortSignal,
): Promise<number> {
  const node = parseSignerNode(await readPrivateFile(config), config);
  const report = openLog(choice, io).report("signer");
  const reading = { bls: await loadBls(), env: (name: string) => io.env(name), report };
  using opened = new DisposableStack();
  const keys = await openKeys(node, reading, opened);
  const handler = signerApp({ keys, token: await loadToken(node.token, reading), report });
  const { address, url } = await listenAt(node, handler, signal);
  io.out(`Signer on ${url} with ${keys.map(({ name }) => name).join(", ")}`);
  await aborted(signal);
  await address.finished;
  return 0;
}

async function openKeys(
  { keys, pkcs11 }: SignerNode,
  reading: KeyReading,
  opened: DisposableStack,
): Promise<ServedSigner[]> {
  const token = pkcs11 === undefined ? undefined : opened.use(
    new Pkcs11Token({ ...pkcs11, pin: await loadPassword(pkcs11.pin, reading) }),
  );
  const served: ServedSigner[] = [];
  for (const key of keys) {
    served.push(
      key.kind === "file"
        ? await readAnySigner(key.path, reading)
        : { kind: key.of, name: key.name, signer: token!.key(key.label) },
    );
  }
  if (
    new Set(served.map(({ name, signer }) => nameAtSigner(name, signer.scheme))).size ===
      served.length
  ) return served;
  throw new CountersignError("invalid_configuration", "Cannot serve: two keys have the same name");
}

async function listenAt(
  { address }: SignerNode,
  handler: (request: Request) => Promise<Response>,
  signal: AbortSignal,
) {
  const onListen = () => {};
  if (address.kind === "https") {
    const cert = await readTextFile(address.certFile);
    const key = await readPrivateFile(address.keyFile);
    const { host: hostname, port } = address;
    const server = Deno.serve({ hostname, port, cert, key, signal, onListen }, handler);
    return { address: server, url: `https://${hostname}:${server.addr.port}` };
  }
  const { path } = address;
  await removeUnusedSocket(path);
  const server = Deno.serve({ path, signal, onListen }, handler);
  await Deno.chmod(path, SOCKET_MODE);
  return { address: server, url: `unix:${path}` };
}

/** Removes the socket that a killed signer left; `address_in_use` if one answers there. */
async function removeUnusedSocket(path: string): Promise<void> {
  try {
    using _connection = await Deno.connect({ transport: "unix", path });
  } catch (error) {
    const isLeft = systemCode(error) === "ECONNREFUSED";
    if (isLeft && (await Deno.lstat(path)).isSocket) await Deno.remove(path);
    return;
  }
  throw new CountersignError(
    "address_in_use",
    `Cannot listen on "${path}": a signer answers there`,
  );
}
