/**
 * The checks of an engine with several writers and readers at once.
 *
 * @module
 */

import { creates, expect, keysOf, type ScratchStore, store, stored, within } from "./scratch.ts";

const WRITERS = 8;
const TURNS = 10;

/** Nothing is lost or doubled, and each commit is stored whole or not at all. */
export async function checkWriters(scratch: ScratchStore): Promise<void> {
  await within(scratch, WRITERS, async (...engines) => {
    const key = ["count"];
    const turns = engines.map(async (engine, writer) => {
      for (let turn = 0; turn < TURNS;) {
        const { value, versionstamp } = await engine.get<Uint8Array>(key);
        const count = value === null ? 0 : value[0]!;
        const row = ["turn", count];
        const increment = () =>
          engine.atomic().check({ key, versionstamp }).check({ key: row, versionstamp: null })
            .set(key, Uint8Array.of(count + 1)).set(row, Uint8Array.of(writer));
        if (await creates(engine, increment, [row, writer])) turn++;
      }
    });
    await Promise.all(turns);
    const { value } = await engines[0]!.get<Uint8Array>(key);
    const total = WRITERS * TURNS;
    expect(value?.[0] === total, `${total} increments ended at ${value?.[0]}`);
    const written = await keysOf(engines[0]!, { prefix: ["turn"] });
    expect(written.length === total, `${written.length} of ${total} commits are whole`);
  });
}

/** If several commits create the same keys, one of them wins in every key. */
export async function checkRace(scratch: ScratchStore): Promise<void> {
  await within(scratch, WRITERS, async (...engines) => {
    for (let turn = 0; turn < TURNS; turn++) {
      const outcomes = await Promise.all(engines.map((engine, writer) => {
        const first = ["race", turn, 0];
        const commit = () => {
          const rows = engine.atomic().check({ key: first, versionstamp: null });
          for (let row = 0; row < 20; row++) rows.set(["race", turn, row], Uint8Array.of(writer));
          return rows;
        };
        return creates(engine, commit, [first, writer]);
      }));
      const winners = outcomes.flatMap((isOurs, writer) => isOurs ? [writer] : []);
      expect(winners.length === 1, `${winners.length} writers created one key`);
      for await (const { value } of engines[0]!.list<Uint8Array>({ prefix: ["race", turn] })) {
        expect(value[0] === winners[0], "rows of two commits are mixed");
      }
    }
  });
}

export async function checkIsolation(scratch: ScratchStore): Promise<void> {
  await within(scratch, 2, async (writer, reader) => {
    let isDone = false;
    const written = (async () => {
      for (let turn = 0; turn < 50; turn++) {
        const value = Uint8Array.of(turn);
        await store(writer.atomic().set(["pair", 0], value).set(["pair", 1], value), "a commit");
        const { value: found } = await reader.get<Uint8Array>(["pair", 1]);
        expect(found?.[0] === turn, "another connection does not see a commit that was answered");
      }
    })().finally(() => isDone = true);
    const read = (async () => {
      while (!isDone) {
        const values: (number | undefined)[] = [];
        for await (const { value } of reader.list<Uint8Array>({ prefix: ["pair"] })) {
          values.push(value[0]);
        }
        expect(values[0] === values[1], "a list shows half of a commit");
      }
    })();
    await Promise.all([written, read]);
  });
}

/**
 * A connection that is closed in the middle of commits leaves each whole or absent, and none is stored
 * once another process has the fence.
 */
export async function checkCut(scratch: ScratchStore): Promise<void> {
  await within(scratch, 1, async (next) => {
    const key = ["fence"];
    const held = await stored(next, next.atomic().set(key, "old"), key);
    for (let cut = 0; cut < 5; cut++) {
      const old = await scratch.open();
      const commits = Array.from({ length: WRITERS }, (_, i) => {
        const commit = old.atomic().check({ key, versionstamp: held });
        for (let row = 0; row < 20; row++) commit.set(["cut", cut, i, row], new Uint8Array(900));
        return commit.commit().catch(() => {});
      });
      old.close();
      void Promise.all(commits);
    }
    // The connections may still hold the engine's lock.
    const mine = Uint8Array.of(1);
    const takeover = () =>
      next.atomic().check({ key, versionstamp: held }).set(key, "new").set(["next"], mine);
    expect(await creates(next, takeover, [["next"], 1]), "a new fence was refused");
    const first = await keysOf(next, { prefix: ["cut"] }, { batchSize: 500 });
    expect(first.length % 20 === 0, "a commit was stored in part when its connection ended");
    // Whatever the connections still hold reaches the engine meanwhile.
    for (let i = 0; i < 20; i++) {
      const commit = () => next.atomic().set(["after", i], mine);
      expect(await creates(next, commit, [["after", i], 1]), "a commit was refused");
    }
    const later = await keysOf(next, { prefix: ["cut"] }, { batchSize: 500 });
    expect(later.length === first.length, "a commit under an old fence was stored late");
  });
}
