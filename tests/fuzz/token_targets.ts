/**
 * Readers of Privacy Pass structures, of an issuer's files and answers, and of supplies of tokens.
 *
 * @module
 */

import assert from "node:assert/strict";
import { base64UrlOf, bytesOfBase64Url } from "../../src/base/bytes.ts";
import { encodeTokenSupply, parseTokenSupply } from "../../src/cli/token_supply_file.ts";
import { encodeIssuerSecret, parseIssuerSecret } from "../../src/config/issuer_key_file.ts";
import { encodeApiKeys, parseApiKeys } from "../../src/config/api_keys.ts";
import { parseIssuerNode } from "../../src/config/issuer_node.ts";
import { readBlindRsaKey } from "../../src/proof/crypto/blind_rsa.ts";
import { parseAdmissionOffer } from "../../src/proof/format/admission_offer.ts";
import {
  encodeIssuerDirectory,
  parseIssuerDirectory,
} from "../../src/proof/format/issuer_directory.ts";
import {
  encodeToken,
  encodeTokenChallenge,
  parseToken,
  parseTokenChallenge,
  parseTokenText,
  tokenKeyIdOf,
} from "../../src/proof/format/privacy_pass.ts";
import {
  encodeTokenRequest,
  parseBlindSignature,
  parseTokenRequest,
} from "../../src/proof/format/token_issuance.ts";
import {
  encodeWorkChallenge,
  encodeWorkProof,
  parseWorkChallenge,
  parseWorkProof,
} from "../../src/proof/format/work_proof.ts";
import { PRIVATE_KEY, TYPE_2_VECTORS } from "../gateway/tokens/published_vectors.ts";
import { ofText, type Target } from "./engine.ts";

const hex = (text: string) => Uint8Array.fromHex(text);
const ISSUANCES = TYPE_2_VECTORS.vectors.slice(0, 2);
const TOKENS = ISSUANCES.map(({ token }) => hex(token));
const CHALLENGE = encodeTokenChallenge({
  issuerName: "issuer.example",
  originInfo: "fuzz.example/log",
  redemptionContext: new Uint8Array(),
});
const SPKI = hex(TYPE_2_VECTORS.pkS);
const PERIOD = { notBefore: 1_766_275_200, notAfter: 1_769_472_000 };
const SUPPLIED = TOKENS.map((token) => ({ token: base64UrlOf(token), notAfter: PERIOD.notAfter }));

const STRUCTURES: readonly Target[] = [
  {
    name: "parseTokenChallenge",
    covers: ["proof/format/privacy_pass.ts#parseTokenChallenge"],
    codes: ["malformed_text"],
    seeds: [CHALLENGE, ...ISSUANCES.map(({ token_challenge }) => hex(token_challenge))],
    read: (input) =>
      assert.deepEqual(encodeTokenChallenge(parseTokenChallenge(input)), input.slice()),
  },
  {
    name: "parseToken",
    covers: ["proof/format/privacy_pass.ts#parseToken"],
    codes: ["token_invalid"],
    seeds: TOKENS,
    read: (input) => assert.deepEqual(encodeToken(parseToken(input)), input.slice()),
  },
  {
    name: "parseTokenText",
    covers: ["proof/format/privacy_pass.ts#parseTokenText"],
    codes: ["token_invalid"],
    seeds: TOKENS.map(base64UrlOf),
    read: ofText((text) =>
      assert.deepEqual(encodeToken(parseTokenText(text)), bytesOfBase64Url(text))
    ),
  },
  {
    name: "parseTokenRequest",
    covers: ["proof/format/token_issuance.ts#parseTokenRequest"],
    codes: ["token_request_refused"],
    seeds: ISSUANCES.map(({ token_request }) => hex(token_request)),
    read: (input) => assert.deepEqual(encodeTokenRequest(parseTokenRequest(input)), input.slice()),
  },
  {
    name: "parseBlindSignature",
    covers: ["proof/format/token_issuance.ts#parseBlindSignature"],
    codes: ["issuer_refused"],
    seeds: [hex(ISSUANCES[1]!.token_response)],
    read: (input) => assert.deepEqual(parseBlindSignature(input), input.slice()),
  },
  {
    name: "readBlindRsaKey",
    covers: ["proof/crypto/blind_rsa.ts#readBlindRsaKey"],
    codes: ["invalid_key"],
    seeds: [SPKI],
    read: (input) => assert.deepEqual(readBlindRsaKey(input).spki, input.slice()),
  },
];

const DOCUMENTS: readonly Target[] = [
  {
    name: "parseIssuerDirectory",
    covers: ["proof/format/issuer_directory.ts#parseIssuerDirectory"],
    codes: ["issuer_refused"],
    seeds: [encodeIssuerDirectory({
      requestUri: "/token-request",
      tokenKeys: [
        { tokenKey: SPKI, notBefore: PERIOD.notBefore },
        { tokenKey: SPKI.with(40, 1) },
      ],
    })],
    read: ofText((text) => {
      const directory = parseIssuerDirectory(text);
      assert.deepEqual(parseIssuerDirectory(encodeIssuerDirectory(directory)), directory);
    }),
  },
  {
    name: "parseAdmissionOffer",
    covers: ["proof/format/admission_offer.ts#parseAdmissionOffer"],
    codes: ["gateway_refused", "malformed_text"],
    seeds: [JSON.stringify({
      mode: "token_required",
      issuers: [{
        name: "issuer.example",
        url: "https://issuer.example/",
        token_type: 2,
        challenge: base64UrlOf(CHALLENGE),
        token_keys: [{
          token_key: base64UrlOf(SPKI),
          token_key_id: tokenKeyIdOf(SPKI).toHex(),
          not_before: PERIOD.notBefore,
          not_after: PERIOD.notAfter,
        }],
      }],
    })],
    read: ofText(parseAdmissionOffer),
  },
  {
    name: "parseApiKeys",
    covers: ["config/api_keys.ts#parseApiKeys"],
    codes: ["malformed_configuration", "invalid_configuration"],
    seeds: [encodeApiKeys([
      { name: "alice", sha256: "ab".repeat(32), rates: {} },
      {
        name: "ci",
        sha256: "cd".repeat(32),
        notAfter: 5,
        rates: { reads: { perSecond: 3, burst: 7 } },
      },
    ])],
    read: ofText((text) => parseApiKeys(text, "/gateway/api-keys.json")),
  },
  {
    name: "parseIssuerNode",
    covers: ["config/issuer_node.ts#parseIssuerNode"],
    codes: ["malformed_configuration", "invalid_configuration"],
    seeds: [JSON.stringify({
      name: "issuer.example",
      url: "https://issuer.example/",
      rotation: { lifetime_seconds: 3600, overlap_seconds: 600 },
      api_keys: [{ name: "a", sha256: "ab".repeat(32), per_day: 5 }],
      work: { bits: 20 },
    })],
    read: ofText((text) => parseIssuerNode(text, "/issuer/issuer.json")),
  },
  {
    name: "parseIssuerSecret",
    covers: ["config/issuer_key_file.ts#parseIssuerSecret"],
    codes: ["invalid_key"],
    seeds: [
      encodeIssuerSecret({ privateKey: PRIVATE_KEY, tokenKey: new Uint8Array(), ...PERIOD }),
    ],
    read: ofText((text) => parseIssuerSecret(text, "/issuer/keys/00.json")),
    share: 0.3,
  },
  {
    name: "parseTokenSupply",
    covers: ["cli/token_supply_file.ts#parseTokenSupply"],
    codes: ["malformed_configuration", "token_invalid", "format_unsupported"],
    seeds: [encodeTokenSupply({
      gateway: "https://log.example/",
      networkId: "log.example",
      tokens: [...SUPPLIED, { ...SUPPLIED[0]!, shownFor: "ab".repeat(32) }],
    })],
    read: ofText((text) => {
      const supply = parseTokenSupply(text, "/home/tokens/log.json");
      return assert.deepEqual(parseTokenSupply(encodeTokenSupply(supply), ""), supply);
    }),
  },
];

const HEADERS: readonly Target[] = [
  {
    name: "parseWorkProof",
    covers: ["proof/format/work_proof.ts#parseWorkProof"],
    codes: [],
    seeds: [encodeWorkProof({ time: PERIOD.notBefore, counter: 1_048_576 })],
    read: ofText((text) => {
      const proof = parseWorkProof(text);
      if (proof === undefined) return false;
      return assert.deepEqual(parseWorkProof(encodeWorkProof(proof)), proof);
    }),
  },
  {
    name: "parseWorkChallenge",
    covers: ["proof/format/work_proof.ts#parseWorkChallenge"],
    codes: [],
    seeds: [
      encodeWorkChallenge("issuer.example", 20),
      `Bearer realm="a", ${encodeWorkChallenge('an "issuer"', 1)}`,
    ],
    read: ofText((text) => parseWorkChallenge(text) !== undefined),
  },
];

export const TOKEN_TARGETS: readonly Target[] = [...STRUCTURES, ...DOCUMENTS, ...HEADERS];
