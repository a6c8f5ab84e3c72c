/**
 * A recorder between a gateway and its witnesses: it relays every connection and keeps what each
 * witness was asked to cosign and what it signed. A signature counts as given when it has left the
 * witness, whether or not the gateway still waited for it.
 *
 * @module
 */

import { WitnessRecord } from "./witness_record.ts";
import { relay } from "./witness_relay.ts";

/** Where a witness is while it runs, and what is known of it. */
interface RecordedWitness {
  readonly record: WitnessRecord;
  readonly listener: Deno.TcpListener;
  /** From the gateway. */
  readonly connections: Set<Deno.TcpConn>;
  address: Deno.ConnectOptions | undefined;
}

/** Relays for the witnesses of one network, in the order in which they were opened. */
export class WitnessRecorder {
  /** Hashes that any witness signed, by sequence. */
  readonly signed: string[] = [];
  readonly #witnesses: RecordedWitness[] = [];
  readonly #work = new Set<Promise<void>>();

  /** Opens the relay of one more witness, and answers its URL. */
  open(id: string): string {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const record = new WitnessRecord(id, this.signed);
    const witness = { record, listener, connections: new Set<Deno.TcpConn>(), address: undefined };
    this.#witnesses.push(witness);
    this.#do(this.#accept(witness));
    return `http://127.0.0.1:${listener.addr.port}`;
  }

  get records(): readonly WitnessRecord[] {
    return this.#witnesses.map(({ record }) => record);
  }

  /** The witness runs, at `url`. */
  connect(index: number, url: URL): void {
    this.#witnesses[index]!.address = { hostname: url.hostname, port: Number(url.port) };
  }

  /** The witness is dead: connections to it are refused. */
  disconnect(index: number): void {
    this.#witnesses[index]!.address = undefined;
  }

  /** The gateway no longer reaches the witness, which runs: its connections end. */
  cut(index: number): void {
    this.disconnect(index);
    for (const connection of this.#witnesses[index]!.connections) connection[Symbol.dispose]();
  }

  /** Once all witnesses are dead. Rejects with what no relay could read. */
  async close(): Promise<void> {
    for (const { listener } of this.#witnesses) listener.close();
    await Promise.all(this.#work);
  }

  async #accept(witness: RecordedWitness): Promise<void> {
    for await (const connection of witness.listener) {
      const { connections, address, record } = witness;
      connections.add(connection);
      this.#do(relay(connection, address, record).finally(() => connections.delete(connection)));
    }
  }

  #do(work: Promise<void>): void {
    this.#work.add(work);
    // One that failed stays, for close() to tell.
    work.then(() => this.#work.delete(work), () => {});
  }
}
