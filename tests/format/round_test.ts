import assert from "node:assert/strict";
import fc from "fast-check";
import {
  encodeRoundMessage,
  parseRoundMessage,
  type RoundMessage,
} from "../../src/format/round.ts";
import { roundMessages } from "./arbitraries.ts";
import { assertCanonical, assertRefused, damaged } from "./mutated_text.ts";

// protocol.md "Signed messages", written out.
const ROOT = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const TEXT = `countersign/round/v1\nlog.example/a-1\n1766275200\n512\n${ROOT}\nnone\n`;
const MESSAGE: RoundMessage = {
  network_id: "log.example/a-1",
  timestamp: 1_766_275_200,
  size: 512,
  root: ROOT,
  beacon: null,
};
const BEACON = { chain_hash: "ab".repeat(32), round: 7, signature: "cd".repeat(48) };
const BEACON_LINE = `drand/${"ab".repeat(32)}/7/${"cd".repeat(48)}`;

Deno.test("a round message is six lines, the last its beacon", () => {
  assert.equal(encodeRoundMessage(MESSAGE), TEXT);
  assert.deepEqual(parseRoundMessage(TEXT), MESSAGE);
  const text = TEXT.replace("none", BEACON_LINE);
  assert.equal(encodeRoundMessage({ ...MESSAGE, beacon: BEACON }), text);
  assert.deepEqual(parseRoundMessage(text), { ...MESSAGE, beacon: BEACON });
});

Deno.test("every round message is read as it was written", () => {
  fc.assert(fc.property(roundMessages, (message) => {
    assert.deepEqual(parseRoundMessage(encodeRoundMessage(message)), message);
  }));
});

Deno.test("a damaged round message is refused, or is another one's only spelling", () => {
  fc.assert(
    fc.property(damaged(roundMessages.map(encodeRoundMessage)), (text) => {
      assertCanonical(text, parseRoundMessage, encodeRoundMessage, "malformed_text");
    }),
    { numRuns: 2000 },
  );
});

Deno.test("other spellings of a round message are refused", () => {
  const refused = [
    "",
    TEXT.slice(0, -1),
    `${TEXT}\n`,
    TEXT.replaceAll("\n", "\r\n"),
    TEXT.replace("\n512\n", "\n0\n"),
    TEXT.replace("\n512\n", "\n513\n"),
    TEXT.replace("\n512\n", "\n0512\n"),
    TEXT.replace(ROOT, ROOT.toUpperCase()),
    TEXT.replace("none", ""),
    TEXT.replace("none", "None"),
    TEXT.replace("none", "null"),
    TEXT.replace("none", `${BEACON_LINE}/`),
    TEXT.replace("none", BEACON_LINE.replace("/7/", "/07/")),
    TEXT.replace("none", BEACON_LINE.replace("/7/", "//")),
    TEXT.replace("none", BEACON_LINE.replace("drand", "Drand")),
    TEXT.replace("none", BEACON_LINE.toUpperCase()),
    TEXT.replace("none", "drand"),
    TEXT.replace("round/v1", "attestation/v1"),
  ];
  assertRefused(refused, parseRoundMessage, "malformed_text");
  assert(!refused.includes(TEXT));
});

Deno.test("what cannot stand in a round message is not encoded", () => {
  const wrong: Partial<RoundMessage>[] = [
    { size: 0 },
    { size: 513 },
    { size: 1.5 },
    { root: "00" },
    { timestamp: 2 ** 53 },
    { network_id: "subtree/x" },
    { beacon: { ...BEACON, chain_hash: "ab" } },
    { beacon: { ...BEACON, round: -1 } },
    { beacon: { ...BEACON, signature: "cd".repeat(64) } },
  ];
  for (const change of wrong) {
    const texts = [JSON.stringify(change)];
    assertRefused(texts, () => encodeRoundMessage({ ...MESSAGE, ...change }), "malformed_text");
  }
});
