import assert from "node:assert/strict";
import { createWitnessState, openWitnessState } from "../../src/storage/witness/witness_state.ts";

const ROOT = new Uint8Array(32).fill(7);
const HEAD = { size: 5, root: ROOT, timestamp: 9 };

Deno.test("a head is replaced with its epoch, in one compare-and-swap", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/state.kv`;
    await createWitnessState(path, new Map([["log.example", HEAD]]));
    const state = await openWitnessState(path);
    const { version, ...head } = (await state.load("log.example"))!;
    assert.deepEqual(head, HEAD);
    const grown = await state.replace("log.example", version, { ...HEAD, size: 6 });
    state.close();
    const again = await openWitnessState(path);
    const ended = { ...HEAD, size: 6, epoch: { number: 0, endedBy: "ab".repeat(32) } };
    assert.equal(await again.replace("log.example", "00000000000000000000", ended), undefined);
    assert.notEqual(await again.replace("log.example", grown, ended), undefined);
    again.close();
    const last = await openWitnessState(path);
    const { version: _, ...found } = (await last.load("log.example"))!;
    assert.deepEqual(found, ended);
    last.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
