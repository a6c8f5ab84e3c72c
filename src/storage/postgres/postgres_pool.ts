/**
 * Some connections to one database, for statements of one kind.
 *
 * @module
 */

import {
  type ConnectionOptions,
  PostgresConnection,
  type Row,
  type RunOptions,
} from "./postgres_connection.ts";

/** Connections are opened when they are needed. */
export class PostgresPool {
  readonly #connections: readonly PostgresConnection[];

  constructor(count: number, options: ConnectionOptions) {
    this.#connections = Array.from({ length: count }, () => new PostgresConnection(options));
  }

  /** Runs `text` on the connection with the fewest statements; as {@linkcode PostgresConnection.run}. */
  run(
    text: string,
    values?: readonly unknown[],
    options?: RunOptions,
  ): Promise<readonly Row[]> {
    let best = this.#connections[0]!;
    for (const connection of this.#connections) {
      if (connection.pending < best.pending) best = connection;
    }
    return best.run(text, values, options);
  }

  /** Opens the connections that are not open. */
  async connect(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.run("SELECT 1")));
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}
