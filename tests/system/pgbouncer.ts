/**
 * PgBouncer in transaction mode before a PostgreSQL server of the tests: each statement may run in another
 * session of the server.
 *
 * @module
 */

import { join } from "node:path";
import { freePorts } from "../free_ports.ts";
import { asServer, giveToServer, type PostgresServer } from "./postgres_server.ts";

const READY = /process up/;
const READY_MS = 180_000;
const TRY_MS = 20;
/** Fewer sessions than the gateways have connections, so that they are shared. */
const SESSIONS = 4;

/** Runs until it is disposed of. */
export class PgBouncer implements AsyncDisposable {
  readonly port = freePorts(1);
  readonly #folder: string;
  readonly #server: PostgresServer;
  readonly #settings: readonly string[];
  #process: Deno.ChildProcess | undefined;

  private constructor(server: PostgresServer, settings: readonly string[]) {
    this.#server = server;
    this.#settings = settings;
    this.#folder = join(server.folder, `pgbouncer-${this.port}`);
  }

  /** `settings` are further lines of its configuration. */
  static async start(
    server: PostgresServer,
    settings: readonly string[] = [],
  ): Promise<PgBouncer> {
    const pooler = new PgBouncer(server, settings);
    await pooler.#configure();
    await pooler.start();
    return pooler;
  }

  /** What it has written to its log since it was last started. */
  get log(): string {
    return Deno.readTextFileSync(join(this.#folder, "log"));
  }

  /** Starts it again after {@linkcode kill}. */
  async start(): Promise<void> {
    const log = join(this.#folder, "log");
    await Deno.writeTextFile(log, "");
    await giveToServer(log);
    const [program, ...before] = asServer("pgbouncer");
    this.#process = new Deno.Command(program!, {
      args: [...before, "--quiet", join(this.#folder, "pgbouncer.ini")],
      cwd: "/",
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const deadline = performance.now() + READY_MS;
    while (!READY.test(this.log)) {
      if (performance.now() > deadline) throw new Error(`Cannot start PgBouncer: ${this.log}`);
      await new Promise((resolve) => setTimeout(resolve, TRY_MS));
    }
  }

  /** Ends it as a loss of power would. */
  async kill(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    process?.kill("SIGKILL");
    await process?.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async #configure(): Promise<void> {
    const { port, user, password } = this.#server;
    const users = join(this.#folder, "users.txt");
    const file = join(this.#folder, "pgbouncer.ini");
    await Deno.mkdir(this.#folder);
    await Deno.writeTextFile(users, `"${user}" "${password}"\n`, { mode: 0o600 });
    const lines = [
      "[databases]",
      `* = host=127.0.0.1 port=${port}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${this.port}`,
      "unix_socket_dir =",
      "auth_type = scram-sha-256",
      `auth_file = ${users}`,
      "pool_mode = transaction",
      `default_pool_size = ${SESSIONS}`,
      `min_pool_size = ${SESSIONS}`,
      "server_round_robin = 1",
      "server_login_retry = 1",
      `logfile = ${join(this.#folder, "log")}`,
      ...this.#settings,
    ];
    await Deno.writeTextFile(file, `${lines.join("\n")}\n`, { mode: 0o600 });
    await giveToServer(this.#folder, users, file);
  }
}
