/**
 * The blocks of `docs/verify_by_hand.md` for a time-stamp token, over tokens that carry a bundle.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Bytes } from "../../src/base/bytes.ts";
import { replyOf, TestAuthority, type TokenChange } from "../proof/timestamp/test_authority.ts";
import { pemOf } from "../proof/timestamp/test_certificates.ts";
import * as der from "../proof/timestamp/der.ts";
import { ecKey } from "../proof/verify/vectors/authority_keys.ts";
import {
  authorityOf,
  generalizedTime,
  proofAttribute,
} from "../proof/verify/vectors/timestamp_tokens.ts";
import { exampleLog, ROUND_TIME } from "../docs/example_log.ts";
import { IS_LONG } from "../long_runs.ts";
import { assertRefused, BLOCKS, BUNDLE, inPairs, makeFiles, paste, STRIDE } from "./by_hand.ts";

/** Tools, then steps. */
const TOKEN_BLOCKS = [...BLOCKS.slice(0, 5), "unpack", "attestation", "token", "result"];

/** A token of the file, with its bundle unless a case attaches another one. */
async function makeToken(
  authority: TestAuthority,
  info: TokenChange["info"] = {},
  unsigned?: readonly Bytes[],
): Promise<Bytes> {
  const log = exampleLog();
  const { hash, timestamp } = log.attestations[0]!.attestation;
  return await authority.token(Uint8Array.fromHex(hash), {
    info: {
      serial: der.integer(77n),
      genTime: generalizedTime(timestamp),
      accuracy: der.sequence(der.integer(60)),
      ...info,
    },
    unsigned: unsigned ?? [proofAttribute(JSON.stringify(log.bundle(0)))],
  });
}

Deno.test("docs/verify_by_hand.md verifies a token with its bundle, and finds what the authority alone signed", async () => {
  const authority = await TestAuthority.create();
  const { [BUNDLE]: _, ...files } = await makeFiles();
  const roots = { "tsa-roots.pem": new TextDecoder().decode(pemOf(authority.root)) };
  const verify = async (token: Bytes, more: Readonly<Record<string, string>> = {}) =>
    await paste({ ...files, ...roots, "claim.txt.tsr": token, ...more }, { names: TOKEN_BLOCKS });
  const good = await makeToken(authority);
  for (const token of IS_LONG ? [good, replyOf(0, [], good)] : [replyOf(0, [], good)]) {
    const { code, stdout, stderr } = await verify(token);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /^VERIFIED claim\.txt: Basic \(unpack attestation token\)$/m);
  }
  const { root: otherRoot } = await authorityOf({
    root: { key: ecKey("P-256", "another root") },
  });
  const earlier = { genTime: generalizedTime(ROUND_TIME - 86_400) };
  const proof = proofAttribute(JSON.stringify(exampleLog().bundle(0)));
  const other = proofAttribute(JSON.stringify(exampleLog().bundle(1)));
  const refused: readonly (readonly [string, Bytes, Readonly<Record<string, string>>?])[] = [
    ["an earlier time", await makeToken(authority, earlier)],
    ["another file", good, { "claim.txt": "hallo" }],
    ["another root", good, {
      "tsa-roots.pem": new TextDecoder().decode(pemOf(otherRoot)),
    }],
    ["a fraction", await makeToken(authority, { genTime: generalizedTime(ROUND_TIME, ".5") })],
    ["another sequence", await makeToken(authority, { serial: der.integer((1n << 64n) + 77n) })],
    ["another accuracy", await makeToken(authority, { accuracy: der.sequence(der.integer(1)) })],
    ["no proof", await makeToken(authority, {}, [])],
    ["two proofs", await makeToken(authority, {}, [proof, proof])],
    ["another entry", await makeToken(authority, {}, [other])],
    [
      "a proof of version 2",
      await makeToken(authority, {}, [
        proofAttribute(JSON.stringify(exampleLog().bundle(0)), { version: 2 }),
      ]),
    ],
  ];
  await inPairs(refused.filter((_, i) => i % STRIDE === 0), async ([what, token, more]) => {
    assertRefused(await verify(token, more), what);
  });
});
