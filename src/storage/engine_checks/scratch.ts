/**
 * What the checks of an engine have in common.
 *
 * @module
 */

import { systemClock } from "../../clock.ts";
import { CountersignError } from "../../errors.ts";
import type { StoreCommit, StoreEngine } from "../store_engine.ts";

/** Scratch records of one engine, empty at first. */
export interface ScratchStore {
  /** Opens them as another process would. The check closes what it opens. */
  open(): Promise<StoreEngine>;
}

/**
 * Engines may reject a commit that collides with others, Deno KV at once. On a slow disk the others hold
 * the lock for seconds, so a commit is tried for at least a minute in which no other one is stored.
 */
const ATTEMPTS = 2_400;
const RETRY_MS = 25;

export type Key = Deno.KvKey;

export function expect(holds: boolean, reason: string): void {
  if (!holds) throw new CountersignError("storage_failed", reason);
}

export async function within(
  scratch: ScratchStore,
  count: number,
  run: (...engines: StoreEngine[]) => Promise<void>,
): Promise<void> {
  const engines: StoreEngine[] = [];
  try {
    while (engines.length < count) engines.push(await scratch.open());
    await run(...engines);
  } finally {
    for (const engine of engines) engine.close();
  }
}

export async function keysOf(
  engine: StoreEngine,
  selector: Deno.KvListSelector,
  options?: Deno.KvListOptions,
): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of engine.list(selector, options)) keys.push(JSON.stringify(key));
  return keys;
}

export async function store(commit: StoreCommit, what: string): Promise<void> {
  expect((await commit.commit()).ok, `${what} was refused without a reason`);
}

/** Stores `commit`, and returns the versionstamp of `key` after it. */
export async function stored(
  engine: StoreEngine,
  commit: StoreCommit,
  key: Key,
): Promise<string | null> {
  await store(commit, `a write of ${JSON.stringify(key)}`);
  return (await engine.get(key)).versionstamp;
}

/**
 * Whether a commit that creates `key` with the value `mine` is stored. A rejected commit may be, and so
 * may one in conflict, if its client repeats commits: the key tells.
 */
export async function creates(
  engine: StoreEngine,
  commit: () => StoreCommit,
  [key, mine]: readonly [Key, number],
): Promise<boolean> {
  for (let attempt = 0;; attempt++) {
    const result = await commit().commit().catch((error: unknown) => ({ error }));
    if ("ok" in result && result.ok) return true;
    const { value } = await engine.get<Uint8Array>(key);
    if (value !== null) return value[0] === mine;
    if ("ok" in result) return false;
    if (attempt === ATTEMPTS) throw result.error;
    await systemClock.sleep(RETRY_MS);
  }
}
