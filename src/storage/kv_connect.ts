/**
 * Deno KV by URL (KV Connect): a database of Deno Deploy, or a server of one's own (`denokv`).
 *
 * The runtime repeats a request until the server answers it, for ever. So a request is given up after
 * {@linkcode ANSWER_MS}; the outcome of a commit is then unknown. A commit that was stored before the
 * connection broke is repeated as well, and then comes back as a conflict.
 *
 * The runtime sends HTTP/2 with Nagle's algorithm, and a body of 1,024 bytes or more in two writes. The
 * second one waits until the server acknowledges the first, up to 40 ms after it. The answer to a small
 * read carries that acknowledgement at once, so such a read precedes each commit that may be as large.
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
/** Pauses between reads while one is late. */
const READ_AGAIN_MS = { first: 1_000, longest: 300_000 } as const;

/** A commit of at most this many bytes fits in one write, with the checks of lease and fence. */
const ONE_WRITE_BYTES = 768;
/** More than a record adds to the bytes of its value. */
const RECORD_BYTES = 64;

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
  const opened = openWithToken(database);
  try {
    const kv = await inTime(clock, OPEN_MS, opened);
    // Opening only fetches the addresses of the data. A first read shows whether they answer.
    await inTime(clock, OPEN_MS, kv.get(prefix));
    return new RemoteKv(kv, prefix, new Answers(clock));
  } catch (cause) {
    // It may open later.
    opened.then((kv) => kv.close(), () => {});
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
    return new RemoteCommit(this.#kv, this.#kv.atomic(), this.#prefix, this.#answers);
  }

  /** The records below `part`, over the same connection, which only this engine closes. */
  under(part: string): RemoteKv {
    return new RemoteKv(this.#kv, this.#full([part]), this.#answers, true);
  }

  /** `commit`, with keys of this engine. */
  within(commit: RemoteCommit): RemoteCommit {
    return new RemoteCommit(this.#kv, commit.operation, this.#prefix, this.#answers);
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
  readonly #kv: Deno.Kv;
  readonly #prefix: Deno.KvKey;
  readonly #answers: Answers;
  #bytes = 0;

  constructor(
    kv: Deno.Kv,
    operation: Deno.AtomicOperation,
    prefix: Deno.KvKey,
    answers: Answers,
  ) {
    this.#kv = kv;
    this.operation = operation;
    this.#prefix = prefix;
    this.#answers = answers;
  }

  check({ key, versionstamp }: Deno.AtomicCheck): this {
    this.#bytes += RECORD_BYTES;
    this.operation.check({ key: [...this.#prefix, ...key], versionstamp });
    return this;
  }

  set(key: Deno.KvKey, value: unknown): this {
    this.#bytes += RECORD_BYTES + (value instanceof Uint8Array ? value.length : 0);
    this.operation.set([...this.#prefix, ...key], value);
    return this;
  }

  delete(key: Deno.KvKey): this {
    this.#bytes += RECORD_BYTES;
    this.operation.delete([...this.#prefix, ...key]);
    return this;
  }

  commit(): Promise<{ readonly ok: boolean }> {
    return this.#answers.of("write", () => {
      if (this.#bytes > ONE_WRITE_BYTES) this.#kv.get(this.#prefix).catch(() => {});
      return this.operation.commit();
    });
  }
}

/** Requests without an answer in time. */
interface Late {
  count: number;
  /** When a read was last sent, and the pause until the next. */
  sentMs: number;
  pauseMs: number;
}

/**
 * Gives up requests without an answer. The runtime goes on to repeat them, so while one is late, others
 * of its kind are refused at once: their number stays bounded. A connection that is lost without a word
 * leaves a request late for ever, so single reads are still sent, with growing pauses, and the first answer
 * ends this. Writes are not: a late one may be stored at any time, and must not replace a newer one.
 */
class Answers {
  readonly #clock: Clock;
  readonly #late = { read: noneLate(), write: noneLate() };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async of<T>(kind: "read" | "write", ask: () => Promise<T>): Promise<T> {
    const late = this.#late[kind];
    if (late.count > 0 && (kind === "write" || !this.#maySend(late))) throw noAnswer();
    const answer = ask();
    try {
      const value = await inTime(this.#clock, ANSWER_MS, answer);
      if (kind === "read" && late.count > 0) this.#late.read = noneLate();
      return value;
    } catch (error) {
      if (late.count++ === 0) {
        [late.sentMs, late.pauseMs] = [this.#clock.nowMs(), READ_AGAIN_MS.first];
      }
      answer.catch(() => {}).finally(() => late.count--);
      throw error;
    }
  }

  #maySend(late: Late): boolean {
    const nowMs = this.#clock.nowMs();
    // `abs`, because the clock may be set back.
    if (Math.abs(nowMs - late.sentMs) < late.pauseMs) return false;
    late.sentMs = nowMs;
    late.pauseMs = Math.min(2 * late.pauseMs, READ_AGAIN_MS.longest);
    return true;
  }
}

function noneLate(): Late {
  return { count: 0, sentMs: 0, pauseMs: 0 };
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
