import assert from "node:assert/strict";
import { ProofSaving, type SavedArchive } from "../../src/explorer/stamp/proof_saving.ts";
import type { StampRow } from "../../src/explorer/stamp/stamp_rows.ts";

const rows: readonly StampRow[] = [{ id: 1, phase: "settled" }, { id: 2, phase: "settled" }];
const saved: SavedArchive = {
  archive: {
    zip: new Blob(),
    count: 2,
    whole: [1, 2],
    invalid: [],
    otherNetworks: [],
    refused: [],
  },
  pinned: undefined,
};

/** `started` has one entry for each archive that was begun: the test completes or rejects it. */
function makeSaving() {
  const started: (PromiseWithResolvers<SavedArchive> & { readonly signal: AbortSignal })[] = [];
  let ms = 0;
  const saving = new ProofSaving((rows, { signal, onProgress }) => {
    const ended = Promise.withResolvers<SavedArchive>();
    started.push({ ...ended, signal });
    onProgress(1, rows.length);
    return ended.promise;
  }, { nowMs: () => ms += 1000 });
  return { saving, started };
}

Deno.test("ProofSaving continues when the last reader of its state has left", async () => {
  const { saving, started } = makeSaving();
  const leave = saving.subscribe(() => {});
  saving.start(rows);
  assert.deepEqual(saving.state, { state: "running", done: 1, of: 2 });
  leave();
  assert.equal(started[0]!.signal.aborted, false);
  started[0]!.resolve(saved);
  await started[0]!.promise;
  assert.deepEqual(saving.state, { state: "saved", ...saved });
});

Deno.test("ProofSaving shows nothing of an archive that was stopped or replaced", async () => {
  const { saving, started } = makeSaving();
  saving.start(rows);
  saving.stop();
  assert.deepEqual([started[0]!.signal.aborted, saving.state], [true, { state: "idle" }]);
  started[0]!.resolve(saved);
  await started[0]!.promise;
  assert.equal(saving.state.state, "idle");
  saving.start(rows);
  saving.start(rows.slice(1));
  assert.equal(started[1]!.signal.aborted, true);
  const error = new Error("gone");
  started[2]!.reject(error);
  await assert.rejects(started[2]!.promise);
  assert.deepEqual(saving.state, { state: "failed", error });
});
