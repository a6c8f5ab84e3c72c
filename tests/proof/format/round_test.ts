import assert from "node:assert/strict";
import { encodeRoundMessage, type RoundMessage } from "../../../src/proof/format/round.ts";
import { assertRefused } from "./mutated_text.ts";

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

Deno.test("encodeRoundMessage() writes six lines, the beacon last", () => {
  assert.equal(encodeRoundMessage(MESSAGE), TEXT);
  const text = TEXT.replace("none", BEACON_LINE);
  assert.equal(encodeRoundMessage({ ...MESSAGE, beacon: BEACON }), text);
});

Deno.test("encodeRoundMessage() refuses values that a line cannot hold", () => {
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
