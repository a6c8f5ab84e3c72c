import assert from "node:assert/strict";
import { concat, utf8 } from "../../src/base/bytes.ts";
import { hasCode } from "../../src/base/errors.ts";
import { type EntrySource, readEntries, readWait } from "../../src/explorer/entry_reader.ts";
import { encodeAttestation } from "../../src/proof/format/attestation.ts";
import { tilePath } from "../../src/proof/merkle/tile.ts";
import { digestOf, TestLog, TestNetwork } from "../proof/verify/fixture.ts";

const NEVER = new AbortController().signal;
const network = new TestNetwork("net.example/entries");
const log = new TestLog(network);
for (let round = 0; round < 3; round++) {
  const hashes = Array.from({ length: 200 }, (_, i) => digestOf(`${round} ${i}`));
  log.addRound(hashes, { timestamp: 1000 + 10 * round });
}

/** Serves the entries of `log`, each as `change` makes it. */
function sourceOf(change = (text: string, _sequence: number) => text): EntrySource & {
  readonly asked: string[];
} {
  const asked: string[] = [];
  return {
    asked,
    api: {
      tile(level, index, width) {
        asked.push(tilePath(level, index, width));
        return Promise.resolve(concat(...Array.from({ length: width }, (_, i) => {
          const sequence = 256 * index + i;
          const text = utf8(
            change(encodeAttestation(log.attestations[sequence]!.attestation), sequence),
          );
          return concat(Uint8Array.of(text.length >> 8, text.length & 255), text);
        })));
      },
    },
  };
}

const PLACE = { start: 250, end: 260, size: 600, networkId: network.id };

Deno.test("entries are read across bundles, each no further than it must be", async () => {
  const source = sourceOf();
  const entries = await readEntries(source, PLACE, NEVER);
  assert.deepEqual(entries, log.attestations.slice(250, 260).map((entry) => entry.attestation));
  assert.deepEqual(source.asked, ["tile/entries/000", "tile/entries/001.p/4"]);
  assert.deepEqual(await readEntries(source, { ...PLACE, end: 250 }, NEVER), []);
});

Deno.test("what is no attestation, of another place or another network is refused", async () => {
  const changes = [
    () => "something else",
    (text: string) => text.replace(/\n(\d+)\n$/, (_, sequence) => `\n${Number(sequence) + 1}\n`),
    (text: string) => text.replace(network.id, "net.example/else"),
  ];
  const refused = (error: unknown) => hasCode(error, "malformed_bundle");
  for (const change of changes) {
    const source = sourceOf((text, sequence) => sequence === 255 ? change(text) : text);
    await assert.rejects(readEntries(source, PLACE, NEVER), refused);
    assert.equal((await readEntries(source, { ...PLACE, end: 255 }, NEVER)).length, 5);
  }
  const short = sourceOf();
  const whole = short.api.tile;
  short.api.tile = async (...tile) => (await whole(...tile)).slice(0, -1);
  await assert.rejects(readEntries(short, PLACE, NEVER), refused);
});

Deno.test("a wait is that of the first attestation of a batch", async () => {
  const source = sourceOf();
  const { batch } = log.batchInclusion(399, log.sth(400, 1013), log.sth(200, 1003));
  const wait = await readWait(source, batch, NEVER);
  assert.deepEqual([wait.seconds, source.asked], [3, [
    "tile/entries/000.p/201",
  ]]);
});
