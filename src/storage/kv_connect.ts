/**
 * Deno KV by URL (KV Connect): a database of Deno Deploy, or a server of one's own (`denokv`).
 *
 * The runtime repeats a request until the server answers it, for ever. So a request is given up after
 * {@linkcode ANSWER_MS}; the outcome of a commit is then unknown. A commit that was stored before the
 * connection broke is repeated as well, and then comes back as a conflict.
 *
 * @module
 */

import { type Clock, systemClock } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { reasonOf, storeFault } from "./store_fault.ts";
import { boundOf, type StoreCommit, type StoreEngine } from "./store_engine.ts";

/** The only place where the runtime looks for the token. */
export const TOKEN_VARIABLE = "DENO_KV_ACCESS_TOKEN";

/** How long a read or a commit waits for the server. */
const ANSWER_MS = 5_000;
/** The same when a store is opened. */
const OPEN_MS = 15_000;

/** A database by URL. */
export interface RemoteDatabase {
  readonly url: string;
  /** Secret. */
  readonly token: string;
}

/**
 * Opens the records of `database` whose keys begin with `prefix`. `token_refused`; `storage_failed`
 * when the server does not answer, is no KV Connect server, or serves its data at an address that this
 * process may not reach.
 */
export async function openRemoteKv(
  database: RemoteDatabase,
  prefix: Deno.KvKey,
  clock: Clock = systemClock,
): Promise<RemoteKv> {
  let kv: Deno.Kv | undefined;
  try {
    kv = await inTime(clock, OPEN_MS, openWithToken(database));
    // Opening only fetches the addresses of the data. A first read shows whether they answer.
    await inTime(clock, OPEN_MS, kv.get(prefix));
    return new RemoteKv(kv, prefix, new Answers(clock));
  } catch (cause) {
    kv?.close();
    throw openFault(database.url, cause);
  }
}

/** The variable belongs to the whole process: one database is opened at a time. */
let opening: Promise<unknown> = Promise.resolve();

function openWithToken({ url, token }: RemoteDatabase): Promise<Deno.Kv> {
  const opened = opening.then(() => {
    Deno.env.set(TOKEN_VARIABLE, token);
    // The runtime reads the variable before it calls the server.
    return Deno.openKv(url).finally(() => Deno.env.delete(TOKEN_VARIABLE));
  });
  opening = opened.catch(() => {});
  return opened;
}

function openFault(url: string, cause: unknown): CountersignError {
  const found = reasonOf(cause).replace("Could not open Deno KV database: ", "");
  const isRefused = /status 40[13]\b/.test(found);
  const address = /Requires net access to "([^"]+)"/.exec(found)?.[1];
  const reason = isRefused
    ? `it refused the token ("${found}")`
    : address !== undefined
    ? `its data is served at ${address}, which this process may not reach`
    : found;
  return new CountersignError(
    isRefused ? "token_refused" : "storage_failed",
    `Cannot open store "${url}": ${reason}`,
    { cause },
  );
}

/** The records of a database whose keys begin with a prefix. */
export class RemoteKv implements StoreEngine {
  readonly #kv: Deno.Kv;
  readonly #prefix: Deno.KvKey;
  readonly #answers: Answers;
  readonly #isView: boolean;

  constructor(kv: Deno.Kv, prefix: Deno.KvKey, answers: Answers, isView = false) {
    this.#kv = kv;
    this.#prefix = prefix;
    this.#answers = answers;
    this.#isView = isView;
  }

  async get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    try {
      const entry = await this.#answers.of("read", () => this.#kv.get<T>(this.#full(key)));
      return { ...entry, key };
    } catch (cause) {
      throw storeFault("read", cause, key);
    }
  }

  async *list<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): AsyncGenerator<Deno.KvEntry<T>> {
    const entries = this.#kv.list<T>(this.#range(selector), options);
    try {
      for (;;) {
        const { value: entry, done } = await this.#answers.of("read", () => entries.next());
        if (done) return;
        yield { ...entry, key: entry.key.slice(this.#prefix.length) };
      }
    } catch (cause) {
      throw storeFault("read", cause, boundOf(selector, options.reverse));
    }
  }

  atomic(): RemoteCommit {
    return new RemoteCommit(this.#kv.atomic(), this.#prefix, this.#answers);
  }

  /** The records below `part`, over the same connection, which only this engine closes. */
  under(part: string): RemoteKv {
    return new RemoteKv(this.#kv, this.#full([part]), this.#answers, true);
  }

  /** `commit`, with keys of this engine. */
  within(commit: RemoteCommit): RemoteCommit {
    return new RemoteCommit(commit.operation, this.#prefix, this.#answers);
  }

  close(): void {
    if (!this.#isView) this.#kv.close();
  }

  #full(key: Deno.KvKey): Deno.KvKey {
    return [...this.#prefix, ...key];
  }

  #range(selector: Deno.KvListSelector): Deno.KvListSelector {
    return Object.fromEntries(
      Object.entries(selector).map(([name, key]) => [name, this.#full(key)]),
    ) as unknown as Deno.KvListSelector;
  }
}

/** One commit to records of one or several engines of a database. */
export class RemoteCommit implements StoreCommit {
  readonly operation: Deno.AtomicOperation;
  readonly #prefix: Deno.KvKey;
  readonly #answers: Answers;

  constructor(operation: Deno.AtomicOperation, prefix: Deno.KvKey, answers: Answers) {
    this.operation = operation;
    this.#prefix = prefix;
    this.#answers = answers;
  }

  check({ key, versionstamp }: Deno.AtomicCheck): this {
    this.operation.check({ key: [...this.#prefix, ...key], versionstamp });
    return this;
  }

  set(key: Deno.KvKey, value: unknown): this {
    this.operation.set([...this.#prefix, ...key], value);
    return this;
  }

  delete(key: Deno.KvKey): this {
    this.operation.delete([...this.#prefix, ...key]);
    return this;
  }

  commit(): Promise<{ readonly ok: boolean }> {
    return this.#answers.of("write", () => this.operation.commit());
  }
}

/**
 * Gives up requests without an answer. The runtime goes on to repeat them, so while one is late, others
 * of its kind are refused at once: their number stays bounded.
 */
class Answers {
  readonly #clock: Clock;
  readonly #late = { read: 0, write: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async of<T>(kind: "read" | "write", ask: () => Promise<T>): Promise<T> {
    if (this.#late[kind] > 0) throw noAnswer();
    const answer = ask();
    try {
      return await inTime(this.#clock, ANSWER_MS, answer);
    } catch (error) {
      this.#late[kind]++;
      answer.catch(() => {}).finally(() => this.#late[kind]--);
      throw error;
    }
  }
}

async function inTime<T>(clock: Clock, ms: number, answer: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const late = clock.sleep(ms, answered.signal).then(() => {
    if (answered.signal.aborted) return answer;
    throw noAnswer();
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    answered.abort();
    late.catch(() => {});
    answer.catch(() => {});
  }
}

function noAnswer(): Error {
  return new Error("the server does not answer");
}
