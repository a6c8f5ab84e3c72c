/**
 * What the witnesses of a deployment signed, as their own journals say. The witnesses are stopped.
 *
 * @module
 */

import { join } from "node:path";
import { HASH_LENGTH } from "../../src/base/bytes.ts";
import { journalFiles, RoundJournal } from "../../src/storage/witness/round_journal.ts";
import { decodeSegment, type JournalEntry } from "../../src/storage/witness/round_journal_codec.ts";

/** What one witness signed beyond its tree head, what it was made to forget included. */
export interface SignedByWitness {
  /** Hashes by sequence. */
  readonly hashes: ReadonlyMap<number, ReadonlySet<string>>;
  /** First sequences of its releases. */
  readonly releasedFrom: readonly number[];
}

function stateOf(folder: string, index: number): string {
  return join(folder, "net", `witness-${index + 1}`, "state.kv");
}

/** Reads the journal of the witness at `index` of the deployment in `folder`. */
export async function readSigned(folder: string, index: number): Promise<SignedByWitness> {
  const hashes = new Map<number, Set<string>>();
  const releasedFrom: number[] = [];
  for (const entry of await entriesOf(stateOf(folder, index))) {
    if ("releasedFrom" in entry) {
      releasedFrom.push(entry.releasedFrom);
      continue;
    }
    for (let i = 0; i < entry.digests.length / HASH_LENGTH; i++) {
      const hash = entry.digests.slice(i * HASH_LENGTH, (i + 1) * HASH_LENGTH).toHex();
      const sequence = entry.first + i;
      hashes.set(sequence, (hashes.get(sequence) ?? new Set()).add(hash));
    }
  }
  return { hashes, releasedFrom };
}

async function entriesOf(path: string): Promise<JournalEntry[]> {
  const segments = await Promise.all(
    journalFiles(path).map(async (file) => {
      const segment = decodeSegment(await Deno.readFile(file));
      if (segment === undefined) throw new Error(`Cannot read ${file}: it is damaged`);
      return segment;
    }),
  );
  return segments.toSorted((a, b) => a.generation - b.generation)
    .flatMap(({ entries }) => entries);
}

/** Damage on purpose: a stopped witness loses its journal and gets an empty one. */
export async function emptyJournal(folder: string, index: number): Promise<void> {
  const path = stateOf(folder, index);
  for (const file of journalFiles(path)) await Deno.remove(file);
  await RoundJournal.create(path);
}
