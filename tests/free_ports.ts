/**
 * Ports for programs that need their port before they listen, or need the same port again.
 *
 * @module
 */

/**
 * Below the range of ephemeral ports (32,768 on Linux, 49,152 by RFC 6335), which the system could
 * assign to another program first.
 */
const FIRST_PORT = 10_000;
const PORTS = 22_000;
const TRIES = 100;

/** The first of `count` consecutive free ports. */
export function freePorts(count: number): number {
  for (let tries = 0; tries < TRIES; tries++) {
    const first = FIRST_PORT + Math.floor(Math.random() * (PORTS - count));
    if (areFree(first, count)) return first;
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
