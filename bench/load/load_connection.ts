/**
 * One connection of a run, with at most one request in flight.
 *
 * @module
 */

import { type Answer, AnswerReader } from "./answer_reader.ts";
import type { Client } from "./scenario.ts";
import { type Endpoint, type Receiver, Socket } from "./sockets.ts";

/** Receives the results of requests. */
export interface RequestOwner {
  sent(): void;
  answered(connection: LoadConnection, answer: Answer): void;
  /** The connection is broken; `what` is the reason. */
  broken(connection: LoadConnection, what: string): void;
}

export class LoadConnection implements Receiver {
  readonly client: Client;
  readonly #owner: RequestOwner;
  readonly #reader = new AnswerReader();
  #socket: Socket | undefined;
  #isBusy = false;
  #dueMs = 0;
  #sentMs = 0;

  private constructor(client: Client, owner: RequestOwner) {
    this.client = client;
    this.#owner = owner;
  }

  static async open(
    endpoint: Endpoint,
    client: Client,
    owner: RequestOwner,
  ): Promise<LoadConnection> {
    const connection = new LoadConnection(client, owner);
    connection.#socket = await Socket.open(endpoint, connection);
    return connection;
  }

  /** True while a request is in flight. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** When the last request was due and when it was sent, by `performance.now()`. */
  get dueMs(): number {
    return this.#dueMs;
  }

  get sentMs(): number {
    return this.#sentMs;
  }

  /** Sends the client's next request; does nothing on a broken connection. */
  send(dueMs: number, nowMs: number): void {
    if (this.#socket === undefined) return;
    this.#dueMs = dueMs;
    this.#sentMs = nowMs;
    this.#isBusy = true;
    this.#owner.sent();
    this.#socket.send(this.client.next());
  }

  received(bytes: Uint8Array): void {
    let answer: Answer | undefined;
    try {
      answer = this.#reader.push(bytes);
    } catch {
      this.close();
      return this.#owner.broken(this, "unreadable answer");
    }
    if (answer === undefined) return;
    this.#isBusy = false;
    this.#owner.answered(this, answer);
  }

  closed(): void {
    this.#socket = undefined;
    this.#owner.broken(this, "connection closed");
  }

  close(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }
}
