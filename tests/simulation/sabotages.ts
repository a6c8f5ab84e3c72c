/**
 * Gateways and witnesses with one deliberate defect each. The simulation must detect every defect.
 *
 * @module
 */

import { CountersignError } from "../../src/base/errors.ts";
import { HASH_LENGTH, utf8 } from "../../src/base/bytes.ts";
import type { IntakeRow, SpentRow } from "../../src/proof/format/records.ts";
import type { Beacon } from "../../src/proof/format/round.ts";
import type {
  BeaconSource,
  CommitOutcome,
  LogStore,
  RoundStore,
  SpentStore,
  SthStore,
  TreeStore,
  WitnessClient,
} from "../../src/gateway/ports.ts";
import type { Follower, Health } from "../../src/gateway/fronts/ports.ts";
import { forged } from "../beacons.ts";
import type { MemoryLogStore } from "../gateway/memory_store.ts";
import { nativeCrypto, schemeSigner } from "../schemes.ts";
import type { FaultKind } from "./fault.ts";
import type { ServedGateway } from "./serving_thread.ts";
import { withUpdates } from "./simulated_front.ts";
import type { Engine, Sabotage } from "./world.ts";
import { wrapped } from "../gateway/wrapped_witness.ts";

/**
 * A defect, the kinds of faults that reveal it, and the number of seeds, from 1, within which it
 * must be detected.
 */
export interface Control {
  readonly sabotage: Sabotage;
  /** Default: `kv`. */
  readonly engine?: Engine;
  readonly kinds: readonly FaultKind[];
  readonly seeds: number;
  /** The seed that detected it lately, which is tried first: the others take seconds. */
  readonly lately?: number;
}

/** `store` with some of its parts replaced. */
function withParts(
  store: MemoryLogStore,
  parts: {
    readonly rounds?: Partial<RoundStore>;
    readonly tree?: Partial<TreeStore>;
    readonly sths?: Partial<SthStore>;
    readonly spent?: Partial<SpentStore>;
  },
): LogStore {
  return {
    rounds: { ...store.rounds, ...parts.rounds },
    tree: { ...store.tree, ...parts.tree },
    sths: { ...store.sths, ...parts.sths },
    successions: store.successions,
    index: store.index,
    spent: { ...store.spent, ...parts.spent },
    spentIndex: store.spentIndex,
    takeFence: () => store.takeFence(),
    checkFence: () => store.checkFence(),
    close: () => store.close(),
  };
}

/** Reports a commit as stored before it is, and continues it in the background. */
function hastily(commit: () => Promise<CommitOutcome>): Promise<CommitOutcome> {
  commit().catch(() => {});
  return Promise.resolve("stored");
}

/** Commits even if another process holds the fence. */
async function unfenced(
  store: MemoryLogStore,
  commit: () => Promise<CommitOutcome>,
): Promise<CommitOutcome> {
  if (!store.holdsFence) await store.takeFence();
  return await commit();
}

async function endOf({ rounds }: LogStore): Promise<number> {
  const last = await rounds.lastRow();
  return last === undefined ? 0 : last.first + last.digests.length / HASH_LENGTH;
}

/** `spent`, moved to the end of the stored rows, with intake rows that are `offset` later. */
async function movedSpent(
  store: LogStore,
  spent: readonly SpentRow[],
  offset: number,
): Promise<SpentRow[]> {
  const last = await store.spent.lastRow();
  const end = last === undefined ? 0 : last.first + last.offsets.length;
  const first = spent[0]?.first ?? end;
  return spent.map((row) => ({
    ...row,
    first: row.first + end - first,
    intakeRow: row.intakeRow + offset,
  }));
}

/** `rows`, moved to begin at `first`. */
function movedTo(first: number, rows: readonly IntakeRow[]): IntakeRow[] {
  const offset = first - (rows[0]?.first ?? first);
  return rows.map((row) => ({ ...row, first: row.first + offset }));
}

/** `clients` that do not report a larger tree. */
function silentOfSize(clients: readonly WitnessClient[]): WitnessClient[] {
  return clients.map((client) =>
    wrapped(client, {
      cosign: async (request, signal) => {
        const answer = await client.cosign(request, signal);
        if (answer.kind === "size_conflict" && answer.size > request.treeHead.tree_size) {
          throw new CountersignError("witness_refused", "Cannot cosign: size conflict hidden");
        }
        return answer;
      },
      reach: () => Promise.resolve({ size: 0, signedEnd: 0 }),
      roundsFrom: () => Promise.resolve([]),
    })
  );
}

/** Reports tree heads as committed before they are. */
function withHastyTree(store: MemoryLogStore): LogStore {
  let promised: Awaited<ReturnType<TreeStore["head"]>>;
  let moving: Promise<unknown> = Promise.resolve();
  return withParts(store, {
    tree: {
      head: async () => promised ?? await store.tree.head(),
      commit: (change) => {
        const { head } = change;
        promised = { head, version: "promised" };
        moving = moving.then(async () => {
          const replaces = (await store.tree.head())?.version ?? null;
          await store.tree.commit({ ...change, replaces });
        }).catch(() => {});
        return Promise.resolve("stored");
      },
    },
  });
}

function forgedLatest(relays: BeaconSource): Beacon | null {
  const beacon = relays.latest();
  return beacon && forged(beacon);
}

/** `follower` without every third update. */
function lossy(follower: Follower): Follower {
  let count = 0;
  const isLost = () => ++count % 3 === 0;
  return withUpdates(follower, {
    accepted: (...update) => isLost() || follower.accepted(...update),
    confirmed: (...update) => isLost() || follower.confirmed(...update),
    headCosigned: (...update) => isLost() || follower.headCosigned(...update),
  });
}

/** `follower` that may acknowledge digests in an old copy. */
function unsuspecting(follower: Follower): Follower {
  const changed = (health: Health): Health => ({ ...health, unacknowledged: "none" });
  return withUpdates(follower, {
    joined: (snapshot) => follower.joined({ ...snapshot, health: changed(snapshot.health) }),
    healthChanged: (health) => follower.healthChanged(changed(health)),
  });
}

/** `front` that does not wait for the outcomes of bulk submissions. */
function hastyFront(front: ServedGateway): ServedGateway {
  const { network, epochs, proofs, log, status, eventLog, jobs } = front;
  const submitAll: typeof jobs.submitAll = (...request) => {
    jobs.submitAll(...request).catch(() => {});
    return Promise.resolve({ json: utf8("[]"), waiting: 0, wasHeld: false, reuse() {} });
  };
  return { network, epochs, proofs, log, status, eventLog, jobs: { ...jobs, submitAll } };
}

/** The keys of the largest network that is simulated. */
const configuredKeys = [1, 2, 3, 4, 5].map((number) =>
  schemeSigner("ed25519", `test.example/log/w${number}`).publicKey
);

/** By defect. */
export const CONTROLS: Readonly<Record<string, Control>> = {
  "forged beacons with witnesses that sign any beacon": {
    sabotage: {
      beacons: (relays) => ({ chain: relays.chain, latest: () => forgedLatest(relays) }),
      areWitnessesCredulous: true,
    },
    kinds: ["rounds"],
    seeds: 1,
  },
  "a second commit after an error with unknown outcome": {
    sabotage: {
      store: (store) =>
        withParts(store, {
          rounds: {
            commit: async (rows, rounds, spent = []) => {
              try {
                return await store.rounds.commit(rows, rounds, spent);
              } catch {
                const again = movedTo(await endOf(store), rows);
                const offset = (again[0]?.first ?? 0) - (rows[0]?.first ?? 0);
                const spentAgain = await movedSpent(store, spent, offset);
                return await store.rounds.commit(again, rounds, spentAgain);
              }
            },
          },
        }),
    },
    kinds: ["digests"],
    seeds: 40,
    lately: 23,
  },
  "an error treated as a successful commit": {
    sabotage: {
      store: (store) =>
        withParts(store, {
          rounds: {
            commit: (...write) => store.rounds.commit(...write).catch(() => "stored"),
          },
        }),
    },
    kinds: ["order", "head"],
    seeds: 40,
  },
  "commits without the fence": {
    sabotage: {
      store: (store) =>
        withParts(store, {
          rounds: {
            commit: (...write) => unfenced(store, () => store.rounds.commit(...write)),
          },
        }),
    },
    // A gateway that finds rows of another gateway may stop, or treat its log as an old copy.
    kinds: ["rules", "rounds", "digests", "memory", "unexpected", "health"],
    seeds: 20,
  },
  "a lease that is thought to be renewed": {
    sabotage: { isLeaseBelieved: true },
    engine: "postgres",
    kinds: ["order"],
    seeds: 40,
    lately: 16,
  },
  "a fence that does not wait for commits in progress": {
    sabotage: { isFenceHasty: true },
    engine: "postgres",
    kinds: ["order"],
    seeds: 40,
    lately: 33,
  },
  "commits without the fence that report success": {
    sabotage: {
      store: (store) =>
        withParts(store, {
          rounds: {
            commit: async (...write) => {
              await unfenced(store, () => store.rounds.commit(...write));
              return "stored";
            },
          },
        }),
    },
    // A gateway that finds rows of another gateway may stop. Two concurrent gateways
    // have different hashes signed, and may treat their log as an old copy.
    kinds: ["health", "order", "memory", "rules", "head", "unexpected"],
    seeds: 20,
  },
  "digests acknowledged before they are durable": {
    sabotage: {
      store: (store) =>
        withParts(store, {
          rounds: {
            commit: (rows, rounds, spent) => {
              const commit = () => store.rounds.commit(rows, rounds, spent);
              return rows.length > 0 ? hastily(commit) : commit();
            },
          },
        }),
    },
    kinds: ["order"],
    seeds: 10,
  },
  "rounds confirmed before they are durable": {
    sabotage: {
      store: (store) =>
        withParts(store, {
          rounds: {
            commit: (rows, rounds, spent) => {
              const commit = () => store.rounds.commit(rows, rounds, spent);
              return rows.length === 0 ? hastily(commit) : commit();
            },
          },
        }),
    },
    kinds: ["order", "head", "rules"],
    seeds: 40,
  },
  "heads cosigned before they are committed": {
    sabotage: { store: withHastyTree },
    kinds: ["order"],
    seeds: 10,
  },
  "heads served before they are durable": {
    sabotage: {
      store: (store) =>
        withParts(store, {
          sths: { commit: (record) => hastily(() => store.sths.commit(record)) },
        }),
    },
    kinds: ["view", "order", "memory", "rules"],
    seeds: 3,
  },
  "signatures counted for a witness that did not make them": {
    sabotage: {
      crypto: {
        ...nativeCrypto,
        // The log's own key verifies as usual.
        ed25519: (own, message, signature) =>
          [own, ...configuredKeys].some((key) => nativeCrypto.ed25519(key, message, signature)),
      },
    },
    kinds: ["round_signatures", "sth_signatures", "view"],
    seeds: 60,
  },
  "signatures counted without verification": {
    sabotage: { crypto: { ...nativeCrypto, ed25519: () => true } },
    kinds: ["round_signatures", "sth_signatures", "view"],
    seeds: 40,
  },
  "digests stored separately from their redeemed tokens": {
    sabotage: {
      store: (store) =>
        withParts(store, {
          rounds: {
            commit: async (rows, rounds, spent = []) => {
              const outcome = await store.rounds.commit(rows, rounds);
              if (spent.length > 0) await store.rounds.commit([], [], spent).catch(() => {});
              return outcome;
            },
          },
        }),
    },
    // The store refuses a commit with redeemed tokens only.
    kinds: ["spent", "rules"],
    seeds: 60,
  },
  "redeemed tokens forgotten at start": {
    sabotage: {
      store: (store) =>
        withParts(store, {
          spent: {
            rows: async (start, end) =>
              (await store.spent.rows(start, end))
                .map((row) => ({ ...row, ids: row.ids.map((byte) => byte ^ 1) })),
          },
        }),
    },
    kinds: ["spent"],
    seeds: 60,
  },
  "size conflicts of witnesses ignored": {
    sabotage: { witnesses: silentOfSize },
    kinds: ["rollback", "health"],
    seeds: 60,
  },
  "healthy status before witnesses have agreed": {
    sabotage: { health: (found) => found === "witnesses_unavailable" ? "ok" : found },
    kinds: ["health"],
    seeds: 10,
  },
  "healthy status over an old copy of the store": {
    sabotage: { health: (found) => found === "store_rolled_back" ? "ok" : found },
    kinds: ["health", "rollback"],
    seeds: 20,
  },
  "healthy status while the store fails": {
    sabotage: { health: (found) => found === "storage_failed" ? "ok" : found },
    kinds: ["health"],
    seeds: 20,
  },
  "store_rolled_back status while digests are accepted": {
    sabotage: { health: (found) => found === "ok" ? "store_rolled_back" : found },
    kinds: ["health"],
    seeds: 3,
  },
  "storage_failed status while the store works": {
    sabotage: { health: (found) => found === "ok" ? "storage_failed" : found },
    kinds: ["health"],
    seeds: 3,
  },
  "witnesses that lose their state at every restart": {
    sabotage: { areWitnessesForgetful: true },
    // A refusal still counts as evidence after its witness has lost the state behind it.
    kinds: ["rollback", "fork", "health"],
    seeds: 60,
  },
  "witnesses that sign any text for the digests that they signed": {
    sabotage: { areWitnessesTextBlind: true },
    kinds: ["rounds", "view"],
    seeds: 40,
    lately: 8,
  },
  "a front that acknowledges digests before their outcome": {
    sabotage: { front: hastyFront },
    kinds: ["order", "health"],
    seeds: 10,
  },
  "a link that loses updates without a new snapshot": {
    sabotage: { follower: lossy },
    kinds: ["view", "memory"],
    seeds: 10,
  },
  "a link that does not apply published updates before a read": {
    sabotage: {
      link: (link) => ({ assign: (...args) => link.assign(...args), catchUp: () => {} }),
    },
    // A head that another front has served is unknown.
    kinds: ["view", "memory", "health", "unexpected"],
    seeds: 10,
  },
  "a front that acknowledges unsigned digests in an old copy": {
    sabotage: { follower: unsuspecting },
    kinds: ["promises"],
    seeds: 120,
    lately: 15,
  },
};
