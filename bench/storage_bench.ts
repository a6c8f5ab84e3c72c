/**
 * Writes and reads digests on disk: rows of many under ascending keys, as in the store, and one row
 * for each hash. And what a lone submission waits for: its commits and the journals of its witnesses. The
 * folder is temporary; TMPDIR chooses the disk.
 *
 * @module
 */

import { join } from "node:path";
import { HASH_LENGTH } from "../src/base/bytes.ts";
import { systemClock, unixSeconds } from "../src/base/clock.ts";
import type { IntakeRow, RoundRecord } from "../src/proof/format/records.ts";
import { openKvLogStore } from "../src/storage/log/local_log_store.ts";
import { RoundJournal } from "../src/storage/witness/round_journal.ts";
import { randomDigests } from "./digests.ts";

const folder = await Deno.makeTempDir({ prefix: "countersign-bench-" });
globalThis.addEventListener("unload", () => {
  store.close();
  naive.close();
  Deno.removeSync(folder, { recursive: true });
});
const store = await openKvLogStore(join(folder, "store.kv"), "bench");
await store.takeFence();
const naive = await Deno.openKv(join(folder, "naive.kv"));

const { digestsPerRow } = store.rounds.limits;
const ROWS = 300;
const DIGESTS = ROWS * digestsPerRow;
/** The limit of one Deno KV commit. */
const MUTATIONS_LIMIT = 1_000;

let end = 0;

/** Rows of the next `count` sequences. */
function nextRows(count: number): IntakeRow[] {
  const acceptedAt = unixSeconds(systemClock);
  const rows: IntakeRow[] = [];
  for (const last = end + count; end < last;) {
    const size = Math.min(digestsPerRow, last - end);
    rows.push({ first: end, acceptedAt, digests: randomDigests(size) });
    end += size;
  }
  return rows;
}

/** One row under each digest, in as few commits as possible. */
async function setByHash(count: number): Promise<Uint8Array[]> {
  const digests = randomDigests(count);
  const hashes = Array.from(
    { length: count },
    (_, i) => digests.slice(i * HASH_LENGTH, (i + 1) * HASH_LENGTH),
  );
  for (let at = 0; at < count; at += MUTATIONS_LIMIT) {
    const operation = naive.atomic();
    for (const hash of hashes.slice(at, at + MUTATIONS_LIMIT)) {
      operation.set(["hash", hash], { sequence: at, acceptedAt: 1_800_000_000 });
    }
    await operation.commit();
  }
  return hashes;
}

Deno.bench("packed rows", { group: "commit one digest", baseline: true }, async () => {
  await store.rounds.commit(nextRows(1), []);
});

Deno.bench("row by hash", { group: "commit one digest" }, async () => {
  await setByHash(1);
});

const manyGroup = `commit ${DIGESTS} digests`;
Deno.bench("packed rows", { group: manyGroup, baseline: true }, async () => {
  await store.rounds.commit(nextRows(DIGESTS), []);
});

Deno.bench("row by hash", { group: manyGroup }, async () => {
  await setByHash(DIGESTS);
});

const ROUND_SIZE = 512;
const NODES = 16;

function nextRound(): RoundRecord {
  const first = end;
  end += ROUND_SIZE;
  return roundOf(first, ROUND_SIZE, NODES);
}

function roundOf(first: number, size: number, nodes: number): RoundRecord {
  return {
    first,
    size,
    timestamp: unixSeconds(systemClock),
    attempts: 1,
    beacon: null,
    signatures: [0, 1].map((witness) => ({ witness, signature: randomDigests(2) })),
    upperNodes: randomDigests(nodes),
  };
}

Deno.bench("8 rounds", { group: "commit rounds", baseline: true }, async () => {
  await store.rounds.commit([], Array.from({ length: 8 }, nextRound));
});

const journals = await Promise.all(["w1", "w2"].map(async (name) => {
  const path = join(folder, name);
  await RoundJournal.create(path);
  return (await RoundJournal.open(path)).journal;
}));

const loneGroup = "one digest until its signatures are stored";
Deno.bench("commit, two journals, commit", { group: loneGroup, baseline: true }, async () => {
  const [row] = nextRows(1) as [IntakeRow];
  await store.rounds.commit([row], []);
  await appendTo(journals, row);
  await store.rounds.commit([], [roundOf(row.first, 1, 0)]);
});

Deno.bench("commit, two journals", { group: loneGroup }, async () => {
  const [row] = nextRows(1) as [IntakeRow];
  await store.rounds.commit([row], []);
  await appendTo(journals, row);
});

/** The round of `row` is durable at both witnesses; without signatures. */
async function appendTo(
  journals: readonly RoundJournal[],
  { first, acceptedAt, digests }: IntakeRow,
): Promise<void> {
  const round = { first, timestamp: acceptedAt, beacon: null, digests };
  await Promise.all(journals.map((journal) => journal.append([round], first)));
}

const READ_ROWS = 10_000;
const firstRead = end;
for (let left = READ_ROWS; left > 0; left -= ROWS) {
  await store.rounds.commit(nextRows(Math.min(left, ROWS) * digestsPerRow), []);
}
const hashes = await setByHash(READ_ROWS);

Deno.bench("digest in a packed row", { group: "read", baseline: true }, async () => {
  const sequence = firstRead + Math.floor(Math.random() * READ_ROWS * digestsPerRow);
  await store.rounds.rows(sequence, sequence + 1);
});

Deno.bench("row by hash", { group: "read" }, async () => {
  await naive.get(["hash", hashes[Math.floor(Math.random() * READ_ROWS)]!]);
});
