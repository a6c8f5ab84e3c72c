import assert from "node:assert/strict";
import { createWitnessState, openWitnessState } from "../../src/storage/witness/witness_state.ts";

const ROOT = new Uint8Array(32).fill(7);
const HEAD = { size: 5, root: ROOT, timestamp: 9 };

Deno.test("a state of before epochs keeps its format until an epoch ends, in the commit of its head", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/state.kv`;
    await createWitnessState(path, new Map([["log.example", HEAD]]));
    assert.equal(await formatOf(path), 2);
    const state = await openWitnessState(path);
    const { version, ...head } = (await state.load("log.example"))!;
    assert.deepEqual(head, HEAD);
    const grown = await state.replace("log.example", version, { ...HEAD, size: 6 });
    state.close();
    assert.equal(await formatOf(path), 2);
    const again = await openWitnessState(path);
    const ended = { ...HEAD, size: 6, epoch: { number: 0, endedBy: "ab".repeat(32) } };
    assert.equal(await again.replace("log.example", "00000000000000000000", ended), undefined);
    assert.notEqual(await again.replace("log.example", grown, ended), undefined);
    again.close();
    // Programs that know no epochs refuse it.
    assert.equal(await formatOf(path), 3);
    const last = await openWitnessState(path);
    const { version: _, ...found } = (await last.load("log.example"))!;
    assert.deepEqual(found, ended);
    last.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function formatOf(path: string): Promise<unknown> {
  using kv = await Deno.openKv(path);
  return (await kv.get(["witness_state_format"])).value;
}
