/**
 * The Unix socket of a signer.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import { systemCode } from "../../base/system_error.ts";

/** Mode of the socket: its folder decides who else reaches it. */
const SOCKET_MODE = 0o660;

/** Serves on a socket at `path` until `signal` aborts; `address_in_use` if a signer answers there. */
export async function serveOnSocket(
  path: string,
  handler: (request: Request) => Promise<Response>,
  signal: AbortSignal,
): Promise<Deno.HttpServer> {
  await removeUnusedSocket(path);
  const server = Deno.serve({ path, signal, onListen() {} }, handler);
  await Deno.chmod(path, SOCKET_MODE);
  return server;
}

/** Removes the socket that a killed signer left. */
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
