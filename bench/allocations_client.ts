/**
 * The clients of `allocations.ts`, in a process of their own: each submits new hashes one after another and
 * waits for every attestation.
 *
 * Prints `ready` once it has submitted the hashes of the warm-up. Then, for each line on standard input, it
 * submits the measured hashes and prints `done`.
 *
 * @module
 */

import { createInterface } from "node:readline";
import process from "node:process";
import { systemIo } from "../src/server/io.ts";
import type { Answer } from "./load/answer_reader.ts";
import { LoadConnection, type RequestOwner } from "./load/load_connection.ts";
import { resolveEndpoint } from "./load/sockets.ts";
import { waitScenario } from "./load/submissions.ts";

/** Submits until `count` hashes are attested. */
class Submitter implements RequestOwner {
  readonly #connections: LoadConnection[] = [];
  #unsent = 0;
  #unanswered = 0;
  #done = Promise.withResolvers<void>();

  static async open(url: URL, clients: number): Promise<Submitter> {
    const submitter = new Submitter();
    const endpoint = await resolveEndpoint(url);
    const scenario = waitScenario({});
    for (let i = 0; i < clients; i++) {
      const client = scenario.client();
      submitter.#connections.push(await LoadConnection.open(endpoint, client, submitter));
    }
    return submitter;
  }

  /** `count` is at least the number of clients. */
  submit(count: number): Promise<void> {
    this.#done = Promise.withResolvers();
    this.#unsent = this.#unanswered = count;
    for (const connection of this.#connections) connection.send(0, 0);
    return this.#done.promise;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  sent(): void {
    this.#unsent--;
  }

  answered(connection: LoadConnection, answer: Answer): void {
    if (!connection.client.accepts(answer)) {
      throw new Error(`Cannot measure: the gateway answered ${answer.status}`);
    }
    if (--this.#unanswered === 0) return this.#done.resolve();
    if (this.#unsent > 0) connection.send(0, 0);
  }

  broken(_: LoadConnection, what: string): void {
    throw new Error(`Cannot measure: ${what}`);
  }
}

const [url, clients, warmUp, measured] = Deno.args;
const submitter = await Submitter.open(new URL(url!), Number(clients));
await submitter.submit(Number(warmUp));
systemIo.out("ready");
for await (const _ of createInterface(process.stdin)) {
  await submitter.submit(Number(measured));
  systemIo.out("done");
}
submitter.close();
