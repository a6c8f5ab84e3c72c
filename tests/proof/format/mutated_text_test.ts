import assert from "node:assert/strict";
import fc from "fast-check";
import { CountersignError } from "../../../src/base/errors.ts";
import {
  type Attestation,
  encodeAttestation,
  parseAttestation,
} from "../../../src/proof/format/attestation.ts";
import { attestations } from "./arbitraries.ts";
import { assertCanonical, assertRefused, damaged } from "./mutated_text.ts";

/** What parseAttestation would be without its last comparison. */
function parseLeniently(text: string): Attestation {
  const [, network_id = "", hash = "", timestamp = "", sequence = ""] = text.split("\n");
  return { hash, network_id, timestamp: Number(timestamp), sequence: Number(sequence) };
}

function neverEncodes(attestation: Attestation): string {
  try {
    return encodeAttestation(attestation);
  } catch {
    return "what cannot be encoded differs from every text";
  }
}

Deno.test("positive control: damage tells a lenient parser from a strict one", () => {
  const texts = damaged(attestations.map(encodeAttestation));
  const found = fc.check(
    fc.property(texts, (text) => {
      assertCanonical(text, parseLeniently, neverEncodes, "malformed_text");
    }),
    { numRuns: 2000 },
  );
  assert.equal(found.failed, true);
});

Deno.test("positive control: some damaged texts are accepted, so that both arms are tried", () => {
  let accepted = 0;
  fc.assert(
    fc.property(damaged(attestations.map(encodeAttestation)), (text) => {
      try {
        parseAttestation(text);
        accepted++;
      } catch (error) {
        assert(error instanceof CountersignError);
      }
    }),
    { numRuns: 2000 },
  );
  assert(accepted > 20 && accepted < 1500, `${accepted} of 2000`);
});

Deno.test("positive control: a text that is accepted is no refused one", () => {
  assert.throws(() => assertRefused(["anything"], () => undefined, "malformed_text"));
});
