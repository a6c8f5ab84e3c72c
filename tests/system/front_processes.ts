/**
 * Fronts as processes of their own, over one log in PostgreSQL. Their database user may only read.
 *
 * @module
 */

import { join } from "node:path";
import { freePorts } from "../free_ports.ts";
import { Server } from "../scenarios/program.ts";
import type { PostgresServer } from "./postgres_server.ts";

const FRONT_READY = /^Countersign front \S+ of \S+ on (http:\/\/\S+)$/m;
const TOKEN_FILE = "front-token";
const USER = "countersign_front";

/** What docs/operating.md tells an operator to run. */
export const FRONT_ROLE_SQL = `
  CREATE ROLE ${USER} LOGIN PASSWORD 'THE-PASSWORD';
  GRANT USAGE ON SCHEMA countersign TO ${USER};
  GRANT SELECT ON ALL TABLES IN SCHEMA countersign TO ${USER};
`;

export class FrontProcesses implements AsyncDisposable {
  readonly count: number;
  readonly #folder: string;
  /** Of clients, then of operators. */
  readonly #ports: number;
  readonly #servers: (Server | undefined)[] = [];

  private constructor(count: number, folder: string) {
    this.count = count;
    this.#folder = folder;
    this.#ports = freePorts(2 * count);
  }

  /** The token of the gateways' operator listeners. */
  static async writeToken(folder: string): Promise<void> {
    const file = join(folder, "net", TOKEN_FILE);
    await Deno.writeTextFile(file, crypto.randomUUID(), { mode: 0o600 });
  }

  /** Starts `count` fronts. `gateways` are the URLs of operator listeners, `members` more of `front.json`. */
  static async start(
    count: number,
    postgres: PostgresServer,
    folder: string,
    gateways: readonly string[],
    members: Readonly<Record<string, unknown>> = {},
  ): Promise<FrontProcesses> {
    const password = crypto.randomUUID();
    await postgres.sql(FRONT_ROLE_SQL.replace("THE-PASSWORD", password));
    await Deno.writeTextFile(join(folder, "net", "front-password"), password, { mode: 0o600 });
    const fronts = new FrontProcesses(count, folder);
    const store = new URL(postgres.url);
    store.username = USER;
    for (let index = 0; index < count; index++) {
      const node = {
        name: `front-${index}`,
        gateways,
        gateway_token_file: TOKEN_FILE,
        store: store.href,
        store_password_file: "front-password",
        ...members,
        operator: { host: "127.0.0.1", port: fronts.#ports + count + index },
      };
      const file = join(folder, "net", `front-${index}.json`);
      await Deno.writeTextFile(file, JSON.stringify(node), { mode: 0o600 });
    }
    for (let index = 0; index < count; index++) await fronts.startFront(index);
    return fronts;
  }

  /** The clients' port of front `turn`, counted around. */
  address(turn: number): Deno.NetAddr {
    const port = this.#ports + turn % this.count;
    return { transport: "tcp", hostname: "127.0.0.1", port };
  }

  operatorUrl(index: number): string {
    return `http://127.0.0.1:${this.#ports + this.count + index}`;
  }

  server(index: number): Server {
    return this.#servers[index]!;
  }

  async startFront(index: number): Promise<void> {
    const { server } = await Server.start(
      [
        "serve",
        "--front",
        "--config",
        join("net", `front-${index}.json`),
        "--port",
        String(this.#ports + index),
        "--data",
        `front-data-${index}`,
        "--log-format",
        "pretty",
        "--log-level",
        "info",
      ],
      FRONT_READY,
      { cwd: this.#folder },
    );
    this.#servers[index] = server;
  }

  async killFront(index: number): Promise<void> {
    const server = this.#servers[index];
    this.#servers[index] = undefined;
    await server?.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) await server?.kill();
  }
}
