/**
 * One connection from a gateway to a witness, with both directions noted in a record.
 *
 * @module
 */

import { HttpMessages } from "./http_messages.ts";
import type { AskedOfWitness, WitnessRecord } from "./witness_record.ts";

const CHUNK_BYTES = 64 * 1024;

/** Relays until either side is gone; a signature that is under way is waited for all the same. */
export async function relay(
  gateway: Deno.TcpConn,
  address: Deno.ConnectOptions | undefined,
  record: WitnessRecord,
): Promise<void> {
  using fromGateway = gateway;
  const witness = address === undefined ? undefined : await connect(address);
  if (witness === undefined) return;
  using toWitness = witness;
  const asked: AskedOfWitness[] = [];
  let isGatewayGone = false;
  const requests = async () => {
    const messages = new HttpMessages();
    for await (const chunk of chunksOf(fromGateway)) {
      // Noted first: once it is sent, the witness may have signed.
      const whole = messages.take(chunk).map((message) => record.ask(message));
      asked.push(...whole);
      if (!await send(toWitness, chunk)) break;
      for (const request of whole) record.sent(request);
    }
    isGatewayGone = true;
    if (asked.length === 0) shut(toWitness);
  };
  const answers = async () => {
    const messages = new HttpMessages();
    for await (const chunk of chunksOf(toWitness)) {
      for (const message of messages.take(chunk)) record.answer(asked.shift()!, message);
      if (!isGatewayGone) await send(fromGateway, chunk);
      else if (asked.length === 0) break;
    }
    shut(fromGateway);
  };
  await Promise.all([requests(), answers()]);
  for (const request of asked) record.unanswered(request);
}

async function connect(address: Deno.ConnectOptions): Promise<Deno.TcpConn | undefined> {
  try {
    return await Deno.connect({ ...address, transport: "tcp" });
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return undefined;
    if (error instanceof Deno.errors.ConnectionReset) return undefined;
    throw error;
  }
}

/** What is read until the connection ends, by whomever. */
async function* chunksOf(connection: Deno.TcpConn): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    let count;
    try {
      count = await connection.read(buffer);
    } catch (error) {
      if (isEndOfConnection(error)) return;
      throw error;
    }
    if (count === null) return;
    yield buffer.subarray(0, count);
  }
}

/** False when the other side is gone. */
async function send(connection: Deno.TcpConn, chunk: Uint8Array): Promise<boolean> {
  try {
    for (let rest = chunk; rest.length > 0;) {
      rest = rest.subarray(await connection.write(rest));
    }
    return true;
  } catch (error) {
    if (isEndOfConnection(error)) return false;
    throw error;
  }
}

/** Ends the reading of a connection, which is closed later. */
function shut(connection: Deno.TcpConn): void {
  connection.closeWrite().catch(() => {});
}

function isEndOfConnection(error: unknown): boolean {
  const { BadResource, BrokenPipe, ConnectionAborted, ConnectionReset, Interrupted, NotConnected } =
    Deno.errors;
  return [BadResource, BrokenPipe, ConnectionAborted, ConnectionReset, Interrupted, NotConnected]
    .some((kind) => error instanceof kind);
}
