/**
 * Ports for programs that need their port before they listen, or need the same port again.
 *
 * @module
 */

import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Below the range of ephemeral ports (32,768 on Linux, 49,152 by RFC 6335), which the system could
 * assign to another program first.
 */
const FIRST_PORT = 10_000;
const BLOCKS = 110;
const PORTS = 200;

/**
 * The first port of a block that no other test file uses, of this run or of another. The lock holds
 * while the file runs: it is taken outside of the tests, which have to close what they open.
 */
const first = lockBlock();
let next = 0;

function lockBlock(): number {
  const folder = join(tmpdir(), "countersign-test-ports");
  Deno.mkdirSync(folder, { recursive: true });
  for (let block = 0; block < BLOCKS; block++) {
    const file = Deno.openSync(join(folder, String(block)), { create: true, write: true });
    if (file.tryLockSync(true)) return FIRST_PORT + block * PORTS;
    file.close();
  }
  throw new Error(`Cannot reserve ports: ${BLOCKS} test files have reserved all of them`);
}

/** The first of `count` consecutive free ports. No two calls get the same, until all had their turn. */
export function freePorts(count: number): number {
  for (let tries = 0; tries < PORTS; tries++) {
    if (next + count > PORTS) next = 0;
    const port = first + next;
    next += count;
    if (areFree(port, count)) return port;
  }
  throw new Error(`Cannot start servers: ${count} free ports required, found fewer`);
}

function areFree(first: number, count: number): boolean {
  const held: Deno.Listener[] = [];
  try {
    for (let port = first; port < first + count; port++) {
      held.push(Deno.listen({ hostname: "127.0.0.1", port }));
    }
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  } finally {
    for (const listener of held) listener.close();
  }
}
