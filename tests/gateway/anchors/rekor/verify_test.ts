import assert from "node:assert/strict";
import { base64Of, concat, textOf, utf8 } from "../../../../src/base/bytes.ts";
import { encodeSignatureLine } from "../../../../src/proof/format/note_writer.ts";
import { parseStrictJson } from "../../../../src/proof/format/strict_json.ts";
import { DIGEST, firstLog, LOG_TIME, ORIGIN, p256Secret, recordOf, secondLog } from "./test_log.ts";
import { LOGS, unsigned, verdict } from "./verdicts.ts";

/** Another text: the first character is another one. */
function turned(text: string): string {
  return `${text[0] === "A" ? "B" : "A"}${text.slice(1)}`;
}

Deno.test("a proof of either version verifies under a trusted root or a key", async () => {
  for (const log of LOGS) {
    const isFirst = log === firstLog;
    const entry = isFirst ? 1_006 : 6;
    const expected = {
      status: "verified",
      source: `Rekor log ${ORIGIN}, entry ${entry}`,
      ...(isFirst && { notAfter: LOG_TIME }),
    };
    const proof = log.proof();
    assert.deepEqual(await verdict(log, proof), expected);
    assert.deepEqual(await verdict(log, proof, { roots: [log.pem()] }), expected);
    const others = LOGS.map((other) => other.trustedRoot());
    assert.deepEqual(await verdict(log, proof, { roots: others }), expected);
    assert.deepEqual(await verdict(log, proof, { roots: [] }), {
      status: "not_checked",
      reason: "no root was given to check the log",
    });
    assert.equal(
      (await verdict(log, log.proof(recordOf(DIGEST, p256Secret(8))))).status,
      "verified",
    );
  }
});

Deno.test("signature lines of witnesses are accepted and do not count as the log's", async () => {
  const key = { name: "witness.test/w1", keyId: Uint8Array.of(1, 2, 3, 4) };
  const lines = encodeSignatureLine({ ...key, payload: new Uint8Array(72) });
  for (const log of LOGS) {
    assert.equal((await verdict(log, log.proof(recordOf(), { lines }))).status, "verified");
    // A line by another key of the log, which is not known here.
    const former = encodeSignatureLine({ ...key, name: ORIGIN, payload: new Uint8Array(64) });
    const formerly = log.proof(recordOf(), { lines: former });
    assert.equal((await verdict(log, formerly)).status, "verified");
    const again = { ...key, name: ORIGIN, keyId: log.keyId.slice(0, 4) };
    const wrong = encodeSignatureLine({ ...again, payload: new Uint8Array(64) });
    assert.deepEqual(await verdict(log, log.proof(recordOf(), { lines: wrong })), {
      status: "failed",
      reason: unsigned("checkpoint"),
    });
  }
});

Deno.test("the status and timestamp of a claim must match its proof", async () => {
  const proof = firstLog.proof();
  assert.deepEqual(await verdict(firstLog, proof, { timestamp: LOG_TIME - 1 }), {
    status: "failed",
    reason: "its timestamp is not the time of the entry",
  });
  assert.deepEqual(await verdict(firstLog, proof, { status: "pending" }), {
    status: "failed",
    reason: "its status is pending, but the proof is complete",
  });
  // Nobody vouches for what a log of version 2 was anchored at.
  const { status } = await verdict(secondLog, secondLog.proof(), { timestamp: 1 });
  assert.equal(status, "verified");
});

Deno.test("a time counts if the log's key was valid then, inclusive at both ends", async () => {
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  const refused = "Cannot verify Rekor entry: the log's key was not valid at the time";
  const cases: readonly (readonly [object, boolean])[] = [
    [{ start: iso(LOG_TIME) }, true],
    [{ start: iso(LOG_TIME + 1) }, false],
    [{ start: iso(1), end: iso(LOG_TIME) }, true],
    [{ start: iso(1), end: iso(LOG_TIME - 1) }, false],
    [{ start: iso(1), end: null }, true],
  ];
  for (const [validFor, isValid] of cases) {
    const roots = [firstLog.trustedRoot(validFor)];
    const found = await verdict(firstLog, firstLog.proof(), { roots });
    if (isValid) assert.equal(found.status, "verified");
    else assert.deepEqual(found, { status: "failed", reason: refused });
  }
});

Deno.test("a proof is not checked if a root cannot be read", async () => {
  const rooted = textOf(secondLog.trustedRoot());
  const files: readonly (readonly [string, string, string])[] = [
    ["an empty file", "", "neither a trusted root nor the PEM of one P-256 or Ed25519 public key"],
    [
      "no key",
      "Origin: a\n",
      "neither a trusted root nor the PEM of one P-256 or Ed25519 public key",
    ],
    ["no origin", textOf(secondLog.pem()).replace(/^.*\n/, ""), "no line `Origin: <name>`"],
    [
      "two keys",
      textOf(concat(secondLog.pem(), secondLog.pem())),
      "neither a trusted root nor the PEM",
    ],
    ["a damaged key", textOf(secondLog.pem()).replace("\nMC", "\n"), "base64"],
    ["no JSON", "{", "Cannot read JSON"],
    ["no start", textOf(secondLog.trustedRoot({})), "start"],
    ["no time", textOf(secondLog.trustedRoot({ start: "2021-01-12" })), "RFC 3339"],
    ["no URL", rooted.replace(`"https://${ORIGIN}"`, '"a b"'), "baseUrl: expected a URL"],
    ["another key", rooted.replace("PKIX_ED25519", "PKIX_ECDSA_P256_SHA_256"), "keyDetails"],
    ["no log ID", rooted.replaceAll('"logId"', '"a"'), "logId"],
    [
      "a short ID",
      rooted.replaceAll(base64Of(secondLog.keyId), "AAAA"),
      "not 32 bytes",
    ],
  ];
  for (const [what, file, reason] of files) {
    const found = await verdict(secondLog, secondLog.proof(), { roots: [utf8(file)] });
    assert.equal(found.status, "not_checked", what);
    assert.ok(
      "reason" in found && found.reason.includes(reason),
      `${what}: ${Deno.inspect(found)}`,
    );
  }
  // The log ID is the older name of the same (sigstore_trustroot.proto).
  const id = base64Of(secondLog.keyId);
  const renamed = utf8(rooted.replaceAll(`"logId":{"keyId":"${id}"}`, '"logId":{"keyId":"AAAA"}'));
  const named = await verdict(secondLog, secondLog.proof(), { roots: [renamed] });
  assert.equal(named.status, "verified");
  const none = utf8('{"tlogs":[]}');
  const { status } = await verdict(secondLog, secondLog.proof(), { roots: [none] });
  assert.equal(status, "failed");
});

Deno.test("a proof with any changed value fails", async () => {
  for (const log of LOGS) {
    const text = JSON.stringify(log.proof());
    const values = [...text.matchAll(/(?<=:|\[|,)"((?:[^"\\]|\\.)*)"(?=[,\]}])/g)];
    assert.ok(values.length > 15);
    for (const { 0: value, 1: inner, index } of values) {
      const changed = `${text.slice(0, index)}"${turned(inner!)}"${
        text.slice(index + value.length)
      }`;
      const proof = parseStrictJson(changed, "malformed_json");
      assert.equal((await verdict(log, proof)).status, "failed", value);
    }
  }
});

Deno.test("a proof has the time that its log signed", async () => {
  const proof = firstLog.proof(recordOf(), { integratedTime: LOG_TIME + 1 });
  const found = await verdict(firstLog, proof, { timestamp: LOG_TIME + 1 });
  assert.deepEqual(found.status === "verified" && found.notAfter, LOG_TIME + 1);
});
