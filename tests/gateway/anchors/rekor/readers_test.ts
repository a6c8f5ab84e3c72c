import assert from "node:assert/strict";
import { base64Of, type Bytes, utf8 } from "../../../../src/base/bytes.ts";
import { readFirstAnswer, readSecondAnswer } from "../../../../src/gateway/anchors/rekor/bundle.ts";
import { parseRekorCheckpoint } from "../../../../src/gateway/anchors/rekor/verify.ts";
import { encodeEntryBody, type RekorEntry } from "../../../../src/gateway/anchors/rekor/entry.ts";
import { DIGEST, firstLog, recordOf, secondLog, type TestRekorLog } from "./test_log.ts";

const first = firstLog.entry(encodeEntryBody("0.0.1", recordOf()));
const second = secondLog.entry(encodeEntryBody("0.0.2", recordOf()));

/** What `read` makes of the answer with `entry`, whose text is changed. */
function readOf(
  read: (answer: Bytes) => RekorEntry,
  log: TestRekorLog,
  entry: RekorEntry,
  change: (text: string) => string = (text) => text,
): RekorEntry {
  return read(utf8(change(JSON.stringify(log.answer(entry)))));
}

Deno.test("readFirstAnswer() reads one entry under its UUID", () => {
  assert.deepEqual(readOf(readFirstAnswer, firstLog, first), first);
  const refused = (text: string, message: RegExp) =>
    assert.throws(() => readFirstAnswer(utf8(text)), { code: "anchor_refused", message });
  const one = JSON.stringify(firstLog.answer(first));
  refused(`${one.slice(0, -1)},"b":{}}`, /several entries/);
  refused(`[${one}]`, /expected an object/);
  refused("null", /expected an object/);
  refused("{}", /expected an object/);
  refused(one.replace(/"rootHash":"../, '"rootHash":"'), /rootHash: expected 64 lowercase hex/);
  refused(one.replace(/"hashes":\["../, '"hashes":["'), /hashes\[0\]: expected 64 lowercase hex/);
  refused(one.replace(/"signedEntryTimestamp":"[^"]*"/, '"a":1'), /signedEntryTimestamp/);
});

Deno.test("readSecondAnswer() accepts omitted zeros and integers as numbers", () => {
  assert.deepEqual(readOf(readSecondAnswer, secondLog, second), second);
  const atZero = { ...second, logIndex: 0, inclusion: { ...second.inclusion, index: 0, path: [] } };
  const left = readOf(readSecondAnswer, secondLog, atZero, (text) => {
    return text.replaceAll('"logIndex":"0",', "").replace('"hashes":[],', "");
  });
  assert.deepEqual(left, atZero);
  const numbers = (text: string) => text.replace('"treeSize":"12"', '"treeSize":12');
  assert.deepEqual(readOf(readSecondAnswer, secondLog, second, numbers), second);
  for (
    const [from, to, message] of [
      [/"rootHash":"[^"]*"/, '"rootHash":"AAAA"', /rootHash: expected 32 bytes/],
      [/"hashes":\["[^"]*"/, '"hashes":["AAAA"', /hashes\[0\]: expected 32 bytes/],
      [/"keyId":"[^"]*"/, '"keyId":"AAAA"', /keyId: expected 32 bytes/],
      [/"treeSize":"12"/, '"treeSize":"-1"', /treeSize: expected an integer/],
      [/"treeSize":"12"/, '"a":1', /treeSize is missing/],
      [/"treeSize":"12"/, '"treeSize":null', /treeSize: expected an integer/],
      [/"treeSize":"12"/, '"treeSize":1.5', /treeSize: expected an integer/],
      [/"inclusionProof":/, '"a":', /inclusionProof/],
    ] as const
  ) {
    assert.throws(
      () => readOf(readSecondAnswer, secondLog, second, (text) => text.replace(from, to)),
      { code: "anchor_refused", message },
    );
  }
});

Deno.test("parseRekorCheckpoint() reads origin, size and root, and accepts extension lines", () => {
  const text = secondLog.checkpoint(12, DIGEST);
  const { origin, size, root } = parseRekorCheckpoint(text);
  assert.deepEqual([origin, size, root], ["rekor.test", 12, DIGEST]);
  const line = `${base64Of(DIGEST)}\n`;
  const extended = parseRekorCheckpoint(text.replace(line, `${line}Timestamp: 1\nmore\n`));
  assert.deepEqual(extended.root, DIGEST);
  const cases: readonly (readonly [string, RegExp])[] = [
    [text.replace("rekor.test", ""), /a line is empty/],
    [text.replace(line, `${line}\nmore\n`), /a line is empty/],
    [text.replace(line, `${line}${"a".repeat(16_384)}\n`), /longer than 16384 characters/],
    [text.replace("12", "012"), /the size is not a decimal integer/],
    [text.replace(line, "AAAA\n"), /the root is not 32 bytes/],
    [text.replace(line, ""), /the root is not 32 bytes/],
  ];
  for (const [changed, message] of cases) {
    assert.throws(() => parseRekorCheckpoint(changed), { code: "malformed_text", message });
  }
});
