import assert from "node:assert/strict";
import fc from "fast-check";
import { concat, utf8 } from "../../../src/base/bytes.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import {
  type Attestation,
  encodeAttestation,
  parseAttestation,
} from "../../../src/proof/format/attestation.ts";
import { roundLeaves } from "../../../src/proof/merkle/round_tree.ts";
import { attestations, bytes, counts, networkIds } from "./arbitraries.ts";
import { assertCanonical, assertRefused, damaged } from "./mutated_text.ts";

// protocol.md "Signed messages", written out.
const HASH = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const TEXT = `countersign/attestation/v1\nlog.example/a-1\n${HASH}\n1766275200\n41\n`;
const ATTESTATION: Attestation = {
  hash: HASH,
  timestamp: 1_766_275_200,
  network_id: "log.example/a-1",
  sequence: 41,
};

Deno.test("an attestation is five lines", () => {
  assert.equal(encodeAttestation(ATTESTATION), TEXT);
  assert.deepEqual(parseAttestation(TEXT), ATTESTATION);
});

Deno.test("every attestation is read as it was written", () => {
  fc.assert(fc.property(attestations, (attestation) => {
    assert.deepEqual(parseAttestation(encodeAttestation(attestation)), attestation);
  }));
});

Deno.test("a damaged attestation is refused, or is another one's only spelling", () => {
  fc.assert(
    fc.property(damaged(attestations.map(encodeAttestation)), (text) => {
      assertCanonical(text, parseAttestation, encodeAttestation, "malformed_text");
    }),
    { numRuns: 2000 },
  );
});

Deno.test("other spellings of an attestation are refused", () => {
  const refused = [
    "",
    "\n",
    TEXT.slice(0, -1),
    `${TEXT}\n`,
    `${TEXT}x\n`,
    `\n${TEXT}`,
    `\ufeff${TEXT}`,
    TEXT.replaceAll("\n", "\r\n"),
    TEXT.replace(HASH, HASH.toUpperCase()),
    TEXT.replace(HASH, HASH.slice(2)),
    TEXT.replace("\n41\n", "\n041\n"),
    TEXT.replace("\n41\n", "\n+41\n"),
    TEXT.replace("\n41\n", "\n-41\n"),
    TEXT.replace("\n41\n", "\n41.0\n"),
    TEXT.replace("\n41\n", "\n4e1\n"),
    TEXT.replace("\n41\n", "\n0x29\n"),
    TEXT.replace("\n41\n", "\n41 \n"),
    TEXT.replace("\n41\n", "\n\n"),
    TEXT.replace("\n41\n", "\n9007199254740992\n"),
    TEXT.replace("1766275200", "NaN"),
    TEXT.replace("/v1", "/v2"),
    TEXT.replace("countersign/attestation/v1", "countersign/round/v1"),
    TEXT.replace("log.example/a-1", "countersign/x"),
    TEXT.replace("log.example/a-1", "log example"),
  ];
  assertRefused(refused, parseAttestation, "malformed_text");
  // The control: the very replacements above find what they replace.
  assert.equal(new Set(refused).size, refused.length);
  assert(!refused.includes(TEXT));
});

Deno.test("what cannot stand in an attestation is not encoded", () => {
  const wrong: Partial<Attestation>[] = [
    { hash: HASH.toUpperCase() },
    { hash: "" },
    { network_id: "a\nb" },
    { network_id: "" },
    { timestamp: -1 },
    { timestamp: 0.5 },
    { timestamp: 2 ** 53 },
    { timestamp: NaN },
    { sequence: -1 },
    { sequence: Infinity },
  ];
  for (const change of wrong) {
    const texts = [JSON.stringify(change)];
    assertRefused(texts, () => encodeAttestation({ ...ATTESTATION, ...change }), "malformed_text");
  }
});

Deno.test("the leaves of a round are those of its attestations, one by one", () => {
  const rounds = fc.tuple(
    networkIds,
    counts,
    fc.nat(2 ** 40),
    fc.array(bytes(32), { maxLength: 9 }),
  );
  fc.assert(fc.property(rounds, ([networkId, timestamp, firstSequence, digests]) => {
    const leaves = digests.map((digest, i) => {
      const text = utf8(encodeAttestation({
        hash: digest.toHex(),
        timestamp,
        network_id: networkId,
        sequence: firstSequence + i,
      }));
      return kernels.leafHashes(text, Uint32Array.of(text.length));
    });
    const round = { networkId, timestamp, first: firstSequence, digests: concat(...digests) };
    assert.deepEqual(roundLeaves(kernels, round), concat(...leaves));
  }));
});
