import assert from "node:assert/strict";
import { chooseKey } from "../../src/client/token_fetch.ts";
import type { OfferedIssuer, OfferedKey } from "../../src/proof/format/admission_offer.ts";
import { encodeTokenChallenge } from "../../src/proof/format/privacy_pass.ts";

const NOW = 1_800_000_000;
const [OLD, NEW] = [Uint8Array.of(1), Uint8Array.of(2)];

/** The offer of a gateway that accepts tokens of `keys`. */
function offerOf(keys: readonly OfferedKey[]): OfferedIssuer {
  const challenge = {
    issuerName: "issuer.example",
    originInfo: "log.example",
    redemptionContext: new Uint8Array(),
  };
  return { challengeBytes: encodeTokenChallenge(challenge), challenge, keys };
}

Deno.test("chooseKey() chooses the first current key that the gateway accepts", () => {
  const directory = {
    requestUri: "https://issuer.example/token-request",
    tokenKeys: [
      { tokenKey: NEW, notBefore: NOW + 1 },
      { tokenKey: OLD, notBefore: NOW - 1 },
    ],
  };
  const chosen = (keys: readonly OfferedKey[], now = NOW) =>
    chooseKey(directory, [offerOf(keys)], now).tokenKey;
  const both = [{ tokenKey: OLD }, { tokenKey: NEW }];
  assert.equal(chosen(both), OLD);
  assert.equal(chosen(both, NOW + 1), NEW);
  assert.equal(chosen([{ tokenKey: OLD }], NOW + 1), OLD);
  assert.equal(chosen([{ tokenKey: OLD, notBefore: NOW, notAfter: NOW + 1 }]), OLD);
  for (
    const keys of [
      [{ tokenKey: NEW }],
      [{ tokenKey: OLD, notBefore: NOW + 1 }],
      [{ tokenKey: OLD, notAfter: NOW }],
      [],
    ]
  ) assert.throws(() => chosen(keys), { code: "issuer_refused" });
});
