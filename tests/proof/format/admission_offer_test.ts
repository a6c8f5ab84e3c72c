import assert from "node:assert/strict";
import { hasCode } from "../../../src/base/errors.ts";
import { parseAdmissionOffer } from "../../../src/proof/format/admission_offer.ts";

const ISSUER = { name: "issuer.example", token_type: 1, challenge: "AAAA", token_keys: [] };

function offerOf(...issuers: readonly object[]): string {
  return JSON.stringify({ mode: "open", issuers });
}

Deno.test("parseAdmissionOffer() ignores issuers of other token types in any format", () => {
  const others = [
    ISSUER,
    { ...ISSUER, name: null, challenge: [], token_keys: { "1": "AAAA" } },
    { ...ISSUER, url: 1, token_keys: [{ token_key_id: 7 }] },
  ];
  const offer = { mode: "open", issuers: [] };
  assert.deepEqual(parseAdmissionOffer(offerOf(...others)), offer);
});

Deno.test("parseAdmissionOffer() refuses an issuer without its members or with a bad type", () => {
  const { name: _, ...nameless } = ISSUER;
  for (
    const issuer of [
      nameless,
      { ...ISSUER, token_type: "1" },
      { ...ISSUER, token_type: 2 },
      { ...ISSUER, token_type: 2, name: null },
      { ...ISSUER, token_type: 2, challenge: "AAAA=", url: 1 },
    ]
  ) {
    assert.throws(
      () => parseAdmissionOffer(offerOf(issuer)),
      (error) => hasCode(error, "gateway_refused") || hasCode(error, "malformed_text"),
      JSON.stringify(issuer),
    );
  }
});
