/**
 * What the page says of time-stamp tokens, genuine and forged.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Bytes, hexOf, utf8 } from "../../src/base/bytes.ts";
import { hasCode } from "../../src/base/errors.ts";
import {
  chosenRoots,
  readSuppliedFile,
  sortFiles,
} from "../../src/explorer/verify/supplied_file.ts";
import {
  statedTimeText,
  timestampSentence,
  unpinnedTimestamp,
} from "../../src/explorer/verify/timestamp_text.ts";
import * as script from "../../src/explorer/verify/timestamp_script.ts";
import { verifiedTimestamp } from "../../src/explorer/verify/verified_timestamp.ts";
import { withAttachedProof } from "../../src/proof/timestamp/attached_proof.ts";
import { encodeGranted, encodeRejection } from "../../src/proof/timestamp/reply.ts";
import {
  AttestedNetwork,
  authorityOf,
  digestBy,
  identityOf,
  imprintOfContent,
  requestOf,
  rootOf,
  tokenFor,
} from "../gateway/timestamping/fixture.ts";
import * as der from "../proof/timestamp/der.ts";
import { TestAuthority } from "../proof/timestamp/test_authority.ts";
import { issue, nameOf, pemOf } from "../proof/timestamp/test_certificates.ts";
import { type TestHash, testKey } from "../proof/timestamp/test_keys.ts";
import { TestNetwork } from "../proof/verify/test_network.ts";
import { portableSuite } from "../schemes.ts";

const CONTENT = utf8("some content");
const digest = await digestBy(CONTENT, "SHA-256");
const authority = await TestAuthority.create();
const home = new AttestedNetwork();
const { bundle, sequence } = home.attest(hexOf(digest));
const timestamps = () => Promise.resolve(script);

function supply(bytes: Bytes, name = "report.txt.tsr") {
  return readSuppliedFile(new File([bytes], name), timestamps);
}

interface Said {
  /** What the reader compares the token with. */
  readonly content?: Bytes;
  readonly hash?: TestHash;
  readonly network?: TestNetwork;
  readonly roots?: readonly ReturnType<typeof rootOf>[];
}

/** The sentence on the token in `bytes`, and on report.txt if a test says its content. */
async function said(
  bytes: Bytes,
  { content, hash = "SHA-256", network = home.network, roots = [] }: Said = {},
) {
  const supplied = await supply(bytes);
  assert.ok(supplied.kind === "timestamp");
  const expected = content && hexOf(await digestBy(content, hash));
  const trust = { network: network.configuration, peers: [] };
  const found = await verifiedTimestamp({ crypto: portableSuite, script }, trust, supplied, {
    digest: expected,
    roots,
  });
  const fileName = content && "report.txt";
  return timestampSentence({ ...found, network: network.configuration, fileName });
}

/** A token that the authority's key signs with `info`, and with the proof of the genuine one. */
async function signedToken(info = {}, proof: string | undefined = bundle): Promise<Bytes> {
  const token = await authority.token(digest, {
    info: {
      serial: der.integer(BigInt(sequence) << 64n | 7n),
      genTime: der.generalizedTime("20261121120000Z"),
      accuracy: der.sequence(der.integer(60)),
      ...info,
    },
  });
  return withAttachedProof(token, proof);
}

const NOT_WITNESSED = "The token is signed by the authority, but not by the witnesses.";

for (const hash of ["SHA-256", "SHA-384", "SHA-512"] as const) {
  Deno.test(`a token of ${hash} is shown as valid with its file, and only with it`, async () => {
    const request = requestOf(await imprintOfContent(CONTENT, hash));
    const token = await tokenFor(
      authorityOf(identityOf(authority)),
      request,
      (hash) => home.attest(hash),
    );
    for (const bytes of [token, encodeGranted(token)]) {
      const { tone, sentence, notes } = await said(bytes, { content: CONTENT, hash });
      assert.match(
        sentence,
        /^report\.txt existed by 2026-11-21 12:00:00 UTC; 2 of 3 witnesses of home\.example\/ed25519 signed it, /,
      );
      assert.equal(tone, "good");
      assert.deepEqual(notes, [
        "An authority signed it too, and calls itself CN=Stamps. This name was not checked against " +
        "a root certificate.",
      ]);
    }
    const other = await said(token, { content: utf8("other"), hash });
    assert.equal(other.tone, "bad");
    assert.match(other.sentence, /^The token is genuine but belongs to another file: report\.txt /);
  });
}

Deno.test("a root certificate vouches for the authority, or refuses it", async () => {
  const token = await signedToken();
  const roots = [rootOf(authority)];
  const checked = await said(token, { roots });
  assert.deepEqual([checked.tone, checked.notes], [
    "good",
    ["The authority CN=Stamps signed it too, under a root certificate that you chose."],
  ]);
  const other = await issue(await testKey("P-256", "other"), undefined, {
    subject: nameOf("Other"),
  });
  const file = new File([pemOf(other)], "other.pem");
  const chosen = await chosenRoots(file, timestamps);
  assert.ok("certificates" in chosen);
  const refused = await said(token, { roots: chosen.certificates });
  assert.equal(refused.tone, "bad");
  assert.match(refused.sentence, /signature or a certificate of its authority does not verify/);
  assert.match(refused.notes.join(), /no issuer leads to a root/);
  const none = await chosenRoots(new File(["no certificate"], "none.pem"), timestamps);
  assert.ok("fault" in none);
});

for (
  const [what, info, note] of [
    [
      "an earlier time",
      { genTime: der.generalizedTime("20200101000000Z") },
      /^It states 2020-01-01 00:00:00 UTC, but the witnesses attested this digest at 2026-11-21 /,
    ],
    [
      "a fraction of a second",
      { genTime: der.generalizedTime("20261121120000.25Z") },
      /^It states 2026-11-21 12:00:00\.25 UTC, but the witnesses attested/,
    ],
    ["another accuracy", { accuracy: der.sequence(der.integer(1)) }, /^Its accuracy is not/],
    ["another serial number", { serial: der.integer(7) }, /^Its serial number is not/],
  ] as const
) {
  Deno.test(`a token with ${what} is red: the witnesses did not sign it`, async () => {
    const { tone, sentence, notes } = await said(await signedToken(info), { content: CONTENT });
    assert.deepEqual([tone, sentence], ["bad", NOT_WITNESSED]);
    assert.match(notes[0]!, note);
  });
}

Deno.test("a token without a proof, or with that of another digest, is red", async () => {
  const without = await said(await authority.token(digest));
  assert.deepEqual([without.tone, without.sentence], ["bad", NOT_WITNESSED]);
  assert.match(without.notes[0]!, /only the word of CN=Stamps/);
  const other = home.attest("a".repeat(64));
  const foreign = await said(await signedToken({}, other.bundle));
  assert.deepEqual([foreign.tone, foreign.sentence], ["bad", NOT_WITNESSED]);
  assert.equal(foreign.notes[0], "The proof in it is about another digest.");
});

Deno.test("keys of another network do not verify a token", async () => {
  const token = await signedToken();
  const peer = await said(token, { network: new TestNetwork("peer.example") });
  assert.equal(peer.tone, "warn");
  assert.match(peer.sentence, /is of network home\.example\/ed25519, and .* for peer\.example\.$/);
  const twin = new TestNetwork(home.network.id, { seeds: ["twin 1", "twin 2", "twin 3"] });
  const forged = await said(token, { network: twin });
  assert.equal(forged.tone, "bad");
  assert.match(forged.sentence, /does not verify with the keys of home\.example/);
});

Deno.test("without a pin the page knows only that a token has no proof, or another digest", async () => {
  const supplied = await supply(await signedToken());
  assert.ok(supplied.kind === "timestamp");
  assert.equal(unpinnedTimestamp(supplied).tone, "info");
  const own = { name: "report.txt", hash: hexOf(digest) };
  assert.equal(unpinnedTimestamp(supplied, own).sentence, "The token is not verified yet");
  const other = unpinnedTimestamp(supplied, { name: "other.txt", hash: "00" });
  assert.deepEqual([other.tone, other.sentence], ["bad", "The token is not about other.txt."]);
  const { token } = supplied;
  assert.deepEqual(unpinnedTimestamp({ token }).sentence, "No witnesses signed the token.");
});

Deno.test("statedTimeText() has the accuracy that the token states", async () => {
  const text = async (accuracy: Bytes) => {
    const supplied = await supply(await signedToken({ accuracy }));
    assert.ok(supplied.kind === "timestamp");
    return statedTimeText(supplied.token.info).replace("2026-11-21 12:00:00 UTC, ", "");
  };
  const millis = der.value(0x80, Uint8Array.of(5));
  assert.equal(await text(der.sequence(der.integer(60))), "accurate to 60 s");
  assert.equal(await text(der.sequence(der.integer(1), millis)), "accurate to 1.005 s");
  assert.equal(await text(new Uint8Array()), "accuracy not stated");
});

Deno.test("readSuppliedFile() tells tokens, damaged tokens and other files in DER apart", async () => {
  const token = await signedToken();
  const kindOf = async (bytes: Bytes, name: string) => (await supply(bytes, name)).kind;
  assert.equal(await kindOf(token, "any.name"), "timestamp");
  for (
    const [damaged, name] of [
      [token.subarray(0, -1), "any.name"],
      [utf8("<html>"), "page.tsr"],
      [utf8('{"status":503}'), "problem.TSR"],
      [new Uint8Array(), "empty.tsr"],
      [encodeRejection("badAlg", "no"), "rejected.tsr"],
      [await signedToken({}, "{}"), "any.name"],
    ] as const
  ) {
    const supplied = await supply(damaged.slice(), name);
    assert.ok(supplied.kind === "damaged_timestamp", name);
    assert.ok(
      hasCode(supplied.error, "timestamp_refused") || hasCode(supplied.error, "malformed_bundle"),
    );
  }
  for (const other of [authority.signer.der, utf8("0 is a digit"), new Uint8Array()]) {
    assert.equal(await kindOf(other, "other.bin"), "other");
  }
});

Deno.test("sortFiles() takes one token or one proof, with its file", async () => {
  const files = [
    { file: { name: "a.tsr" }, supplied: await supply(await signedToken()) },
    { file: { name: "a" }, supplied: await supply(CONTENT, "a") },
    { file: { name: "a.json" }, supplied: await supply(utf8(bundle), "a.json") },
  ];
  const two = sortFiles(files.slice(0, 2));
  assert.deepEqual([two.proof?.file.name, two.content?.name, two.isAmbiguous], [
    "a.tsr",
    "a",
    false,
  ]);
  assert.equal(sortFiles(files).notice?.title, "2 proofs chosen: this page verifies one");
});
